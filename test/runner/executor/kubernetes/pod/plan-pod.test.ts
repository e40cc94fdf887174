import { describe, expect, test } from 'vitest'

import { VERSION } from '../../../../../src/lib/version.js'
import type { ServiceRequest } from '../../../../../src/runner/executor/executor.js'
import { jobIdIn, ownSelector } from '../../../../../src/runner/executor/kubernetes/pod/pod-labels.js'
import { containerOf, planned } from './planned-pod.js'

const SERVICE: ServiceRequest = {
  name: 'registry.example.com:5000/db/postgres:16',
  aliases: ['db'],
  entrypoint: undefined,
  command: undefined,
  environment: {},
  pullPolicy: undefined,
  user: undefined,
  platform: undefined,
  isConfigured: false,
}

describe('the pod of a job', () => {
  test('has the containers build and helper, and one for each service', () => {
    const { pod, namespace, secret } = planned({ job: { services: [SERVICE, SERVICE] } })
    expect(pod.spec?.containers.map(({ name }) => name)).toEqual(['build', 'helper', 'svc-0', 'svc-1'])
    expect({ namespace, secret }).toEqual({ namespace: 'ci', secret: undefined })
    expect(pod.metadata?.namespace).toBe('ci')
  })

  test('is never restarted, and ends a day after the timeout of the job if its runner does not return', () => {
    const { spec } = planned({ job: { timeoutSeconds: 60 } }).pod
    expect(spec).toMatchObject({ restartPolicy: 'Never', activeDeadlineSeconds: 60 + 24 * 60 * 60 })
  })

  test("shows nothing of the job's variables", () => {
    const { pod } = planned({ variables: { PASSWORD: 'geheim' }, job: { services: [SERVICE] } })
    expect(JSON.stringify(pod)).not.toContain('geheim')
    expect(containerOf({ pod }, 'build').env).toBeUndefined()
  })

  test('has no variables of services of the namespace', () => {
    expect(planned().pod.spec).toMatchObject({ enableServiceLinks: false })
  })

  test("does not mount an account's token, unless an account is named", () => {
    const mounts = (settings: object) => planned({ settings }).pod.spec?.automountServiceAccountToken
    expect(mounts({})).toBe(false)
    expect(mounts({ serviceAccount: 'deployer' })).toBeUndefined()
    expect(mounts({ serviceAccount: 'deployer', automountServiceAccountToken: false })).toBe(false)
  })

  test('has the texts of commands exactly, although Kubernetes replaces $(NAME) and $$', () => {
    const { pod } = planned({
      job: {
        services: [{ ...SERVICE, entrypoint: ['sh', '-c'], command: ['$(X) $$'], environment: { X: '$$1' } }],
      },
    })
    expect(containerOf({ pod }, 'build').command?.[2]).toBe('echo $$$; exec "$0"')
    expect(containerOf({ pod }, 'svc-0')).toMatchObject({
      command: ['sh', '-c'],
      args: ['$$(X) $$$'],
      env: [{ name: 'X', value: '$$$1' }],
    })
  })

  test.each(['$$', '$$$', '$(X)', '$$(X)', '$(echo $$)', '$X $1 ${X} $', 'a'])(
    'has %s as a node leaves it',
    (text) => {
      const environment = { TEXT: text }
      const { pod } = planned({ job: { services: [{ ...SERVICE, environment }] } })
      expect(expandedByNode(containerOf({ pod }, 'svc-0').env?.[0]?.value ?? '')).toBe(text)
    },
  )

  test('leaves out variables of services that Kubernetes refuses, with a warning', () => {
    const environment = { GOOD: '1', 'NOT GOOD': '2', '1ST': '3', '..': '4' }
    const { pod, warnings } = planned({ job: { services: [{ ...SERVICE, environment }] } })
    expect(containerOf({ pod }, 'svc-0').env).toEqual([{ name: 'GOOD', value: '1' }])
    expect(warnings).toEqual([expect.stringContaining('does not have NOT GOOD, 1ST, ..')])
  })
})

describe('the image of a job', () => {
  test('is that of the settings if the job names none', () => {
    const { pod } = planned({
      job: { image: undefined },
      settings: { image: 'alpine:$TAG' },
      variables: { TAG: '3' },
    })
    expect(containerOf({ pod }, 'build').image).toBe('alpine:3')
    expect(() => planned({ job: { image: undefined } })).toThrow('The job names no image')
  })

  test('must be allowed, unless it is that of the settings', () => {
    const settings = { image: 'alpine:3.20', allowedImages: ['ruby:*'] }
    expect(planned({ settings }).images[0]).toMatchObject({ image: 'alpine:3.20' })
    expect(() => planned({ settings, job: { image: { name: 'node:22' } } })).toThrow(
      'The runner does not allow the image "node:22"; allowed: "ruby:*" (allowed_images)',
    )
  })

  test('runs its entrypoint only with FF_KUBERNETES_HONOR_ENTRYPOINT', () => {
    const image = { name: 'tool', entrypoint: ['/start', '$1'] }
    expect(containerOf(planned({ job: { image } }), 'build').args).toBeUndefined()
    const variables = { FF_KUBERNETES_HONOR_ENTRYPOINT: 'true' }
    expect(containerOf(planned({ job: { image }, variables }), 'build')).toMatchObject({
      command: ['/start', '$1'],
      args: ['sh', '-c', expect.any(String), '/switchyard/control'],
    })
    expect(containerOf(planned({ variables }), 'build').command).toBeUndefined()
  })

  test('is pulled as the cluster does by default, by the policy of the settings, or by that of the job', () => {
    const policy = (settings: object, pull_policy?: string[]) =>
      containerOf(planned({ settings, job: { image: { name: 'a', pull_policy } } }), 'build').imagePullPolicy
    expect(policy({})).toBeUndefined()
    expect(policy({ pullPolicy: ['never'] })).toBe('Never')
    expect(policy({ pullPolicy: ['always', 'if-not-present'] }, ['if-not-present'])).toBe('IfNotPresent')
    expect(() => policy({ pullPolicy: ['always'] }, ['never'])).toThrow(
      'does not allow the pull policy [never]',
    )
  })

  test('is pulled by the next policy after one has failed', () => {
    const settings = { pullPolicy: ['always' as const, 'if-not-present' as const] }
    const policies = (failed: number) =>
      planned({ settings, request: { failedPolicies: new Map([['alpine:3.20', failed]]) } })
    expect(containerOf(policies(1), 'build').imagePullPolicy).toBe('IfNotPresent')
    expect(containerOf(policies(1), 'helper').imagePullPolicy).toBe('Always')
    expect(containerOf(policies(5), 'build').imagePullPolicy).toBe('IfNotPresent')
    expect(policies(0).images).toEqual([
      { container: 'build', image: 'alpine:3.20', policies: ['always', 'if-not-present'] },
      { container: 'helper', image: `switchyard:${VERSION}`, policies: ['always', 'if-not-present'] },
    ])
  })
})

describe('services', () => {
  test('are found at their names and aliases, before the hosts of the settings', () => {
    const hostAliases = [{ ip: '10.0.0.7', hostnames: ['db'] }]
    const { pod } = planned({ job: { services: [SERVICE] }, settings: { hostAliases } })
    expect(pod.spec?.hostAliases).toEqual([
      { ip: '127.0.0.1', hostnames: ['registry.example.com-db-postgres', 'db'] },
      ...hostAliases,
    ])
  })

  test('cannot have an alias that is no host name', () => {
    const services = [{ ...SERVICE, aliases: ['my_db'] }]
    expect(() => planned({ job: { services } })).toThrow('The alias "my_db" of the service')
  })

  test('must be allowed, unless they are those of the settings', () => {
    const settings = { allowedServices: ['redis:*'] }
    expect(() => planned({ settings, job: { services: [SERVICE] } })).toThrow('(allowed_services)')
    const { pod } = planned({ settings, job: { services: [{ ...SERVICE, isConfigured: true }] } })
    expect(containerOf({ pod }, 'svc-0').image).toBe(SERVICE.name)
  })
})

describe('the name and the labels of a pod', () => {
  test('are valid and found again', () => {
    const { pod } = planned({ variables: { CI_PROJECT_NAME: `-Ü ${'x'.repeat(80)}` } })
    expect(pod.metadata?.name).toMatch(/^runner-token-1-project-7-concurrent-0-[0-9a-f]{12}$/)
    const labels = pod.metadata?.labels ?? {}
    expect(jobIdIn(labels)).toBe(11)
    for (const value of Object.values(labels))
      expect(value).toMatch(/^(?:[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/)
    const [key = '', value] = ownSelector({ runnerShortToken: 'Tok_en-1', systemId: 's_0123456789ab' }).split(
      '=',
    )
    expect(labels[key]).toBe(value)
    expect(ownSelector({ runnerShortToken: 'Tok_en-1', systemId: 's_0123456789ac' })).not.toContain(value)
  })

  test('are names of their own for each attempt, always the same for one', () => {
    const name = (attempt: string) => planned({ request: { attempt } }).pod.metadata?.name
    expect(name('a')).toBe(name('a'))
    expect(name('a')).not.toBe(name('b'))
    const long = planned({ settings: { runnerShortToken: 'x'.repeat(90) } }).pod.metadata?.name ?? ''
    expect(long).toMatch(/^[a-z0-9-]{1,63}$/)
  })

  test('contain those of the settings, but none of the runners', () => {
    const podLabels = {
      team: '$TEAM',
      'manager.runner.gitlab.com/name': 'x',
      'runner.switchyard/job-id': '1',
    }
    const { pod, warnings } = planned({ settings: { podLabels }, variables: { TEAM: 'a b' } })
    expect(pod.metadata?.labels).toMatchObject({
      team: 'a_b',
      'manager.runner.gitlab.com/name': 'cluster',
      'runner.switchyard/job-id': '11',
    })
    expect(warnings).toHaveLength(2)
    expect(() => planned({ settings: { podLabels: { 'a b': '' } } })).toThrow('"a b" cannot be a pod label')
    expect(() => planned({ settings: { podAnnotations: { '': '' } } })).toThrow('cannot be a pod annotation')
  })
})

test('scheduling, network and lifetime are those of the settings', () => {
  const affinity = { nodeAffinity: {} }
  const { spec } = planned({
    settings: {
      affinity,
      nodeSelector: { arch: 'arm64' },
      nodeTolerations: { 'dedicated=ci': 'NoSchedule', spot: '', '': 'NoExecute' },
      schedulerName: 'batch',
      priorityClassName: 'low',
      runtimeClassName: 'gvisor',
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.0.0.53'] },
      podTerminationGracePeriodSeconds: 5,
      podSecurityContext: { fsGroup: 7 },
      imagePullSecrets: ['registry'],
    },
  }).pod
  expect(spec).toMatchObject({
    affinity,
    nodeSelector: { arch: 'arm64' },
    tolerations: [
      { key: 'dedicated', operator: 'Equal', value: 'ci', effect: 'NoSchedule' },
      { key: 'spot', operator: 'Exists', effect: undefined },
      { key: undefined, operator: 'Exists', effect: 'NoExecute' },
    ],
    schedulerName: 'batch',
    priorityClassName: 'low',
    runtimeClassName: 'gvisor',
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.53'] },
    terminationGracePeriodSeconds: 5,
    securityContext: { fsGroup: 7 },
    imagePullSecrets: [{ name: 'registry' }],
  })
})

/** What a node makes of a text: `$$` becomes `$`, and `$(NAME)` the value of the variable. */
function expandedByNode(text: string): string {
  return text.replaceAll(/\$(\$|\(([^)]*)\))/g, (_, escaped: string) => (escaped === '$' ? '$' : 'replaced'))
}
