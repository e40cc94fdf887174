import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'

import { readSettings } from '../../../src/runner/config/read-settings.js'
import { tempDir } from '../../support/temp-dir.js'

const HEAD = '[[runners]]\nurl = "https://one.example.com"\ntoken = "one"\nexecutor = "kubernetes"\n'

function read(text: string) {
  const { settings, warnings } = readSettings(
    parse(`${HEAD}[runners.kubernetes]\n${text}`),
    'config.toml',
    {},
  )
  return { ...settings.runners[0]?.kubernetes, warnings }
}

describe('settings of Kubernetes', () => {
  test('need no key', () => {
    expect(read('')).toMatchObject({ image: '', pollTimeoutSeconds: 180, namespace: undefined, warnings: [] })
    const { settings } = readSettings(parse(HEAD), 'config.toml', {})
    expect(settings.runners[0]).toMatchObject({ docker: undefined, kubernetes: { image: '' } })
  })

  test('have no effect with another executor, nor those of Docker with this one', () => {
    const docker = HEAD.replace('kubernetes', 'docker')
    const warnings = (text: string) => readSettings(parse(text), 'config.toml', {}).warnings
    expect(warnings(`${docker}[runners.docker]\nimage = "a"\n[runners.kubernetes]\nimage = "a"`)).toEqual([
      'runners[0].kubernetes has no effect with the executor "docker"',
    ])
    expect(warnings(`${HEAD}[runners.docker]\nimage = "a"`)).toEqual([
      'runners[0].docker has no effect with the executor "kubernetes"',
    ])
  })

  test('know an older name for both grace periods', () => {
    expect(read('terminationGracePeriodSeconds = 9\ncleanup_grace_period_seconds = 0')).toMatchObject({
      cleanupGracePeriodSeconds: 0,
      podTerminationGracePeriodSeconds: 9,
    })
  })

  test('take the path in the container for that of the node, as older files have it', () => {
    const { volumes } = read(
      '[[runners.kubernetes.volumes.host_path]]\nname = "sock"\nmount_path = "/run/x.sock"',
    )
    expect(volumes).toMatchObject([{ volume: { hostPath: { path: '/run/x.sock' } } }])
  })

  test('read a patch from a file', async () => {
    const file = join(await tempDir(), 'patch.yaml')
    await writeFile(file, 'hostname: job\n')
    const { podSpec } = read(`[[runners.kubernetes.pod_spec]]\nname = "a"\npatch_path = "${file}"`)
    expect(podSpec).toEqual([{ name: 'a', type: 'strategic', patch: { hostname: 'job' } }])
  })

  test('warn of a pull policy that jobs would not be allowed', () => {
    expect(read('pull_policy = "always"\nallowed_pull_policies = ["never"]').warnings).toEqual([
      'runners[0].kubernetes.allowed_pull_policies contains no pull policy of this runner, "always" (pull_policy): jobs that name none fail',
    ])
  })

  test.each([
    ['namespace_per_job = true', 'namespace_per_job is not supported'],
    ['host = "10.0.0.1"', 'host must be an address such as https://10.0.0.1:6443, not "10.0.0.1"'],
    ['ca_file = "/nowhere"', 'ca_file must be the name of a file that exists, not "/nowhere"'],
    ['namespace = "CI"', 'namespace must be lower-case letters'],
    ['namespace_overwrite_allowed = "ci-("', 'namespace_overwrite_allowed must be a regular expression'],
    ['cpu_limit = "2 cores"', 'cpu_limit must be a number of processors such as 500m, not "2 cores"'],
    [
      'memory_limit = "1Gi"\nmemory_request = "2Gi"',
      'memory_request must be at most memory_limit, which is "1Gi"',
    ],
    ['cap_add = ["sys admin"]', 'cap_add must hold capabilities'],
    ['dns_policy = "none"', 'dns_policy is "none", which needs nameservers in dns_config'],
    ['dns_policy = "ClusterFirst"', 'dns_policy must be one of none, default, cluster-first'],
    ['pull_policy = "sometimes"', 'pull_policy must be one of always, if-not-present, never'],
    [
      '[runners.kubernetes.pod_security_context.seccomp_profile]\ntype = "Localhost"',
      'localhost_profile is missing',
    ],
    ['[[runners.kubernetes.host_aliases]]\nhostnames = ["My_Host"]', 'hostnames must hold host names'],
    [
      '[[runners.kubernetes.volumes.pvc]]\nname = "a"\nmount_path = "cache"',
      'mount_path must be an absolute path',
    ],
    ['[[runners.kubernetes.volumes.nfs]]\nname = "a"\nmount_path = "/a"', 'server is missing'],
    [
      '[[runners.kubernetes.volumes.pvc]]\nname = "a"\nmount_path = "/a"\n[[runners.kubernetes.volumes.secret]]\nname = "a"\nmount_path = "/b"',
      'volumes has two different volumes with the name "a"',
    ],
    [
      '[runners.kubernetes.container_lifecycle.pre_stop]\nexec = { command = ["a"] }\ntcp_socket = { port = 1 }',
      'must have exactly one of exec',
    ],
    ['[[runners.kubernetes.pod_spec]]\nname = "a"', 'patch is missing'],
    ['[[runners.kubernetes.pod_spec]]\npatch = "a: b"\npatch_path = "/a"', 'exclude each other'],
    ['[[runners.kubernetes.pod_spec]]\npatch_path = "/nowhere"', 'patch_path cannot be read: ENOENT'],
    ['[[runners.kubernetes.pod_spec]]\npatch = "a: [b"', 'patch is neither YAML nor JSON'],
    ['[[runners.kubernetes.pod_spec]]\npatch = "[]"', "patch must be an object with keys of a pod's spec"],
    [
      '[[runners.kubernetes.pod_spec]]\npatch = "{}"\npatch_type = "json"',
      'patch must be a list of operations',
    ],
    [
      '[[runners.kubernetes.affinity.pod_affinity.preferred_during_scheduling_ignored_during_execution]]\nweight = 101',
      'weight must be at most 100',
    ],
    [
      '[[runners.kubernetes.affinity.node_affinity.required_during_scheduling_ignored_during_execution.node_selector_terms]]\nmatch_expressions = [{ key = "a" }]',
      'operator is missing: one of In, NotIn, Exists, DoesNotExist, Gt, Lt',
    ],
  ])('%j is a problem', (text, problem) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(problem) as unknown }),
    )
  })
})
