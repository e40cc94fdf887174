import { expect, test } from 'vitest'

import type { ResourceSettings } from '../../../../../src/runner/executor/kubernetes/resource-settings.js'
import { containerOf, planned } from './planned-pod.js'

const NOTHING = { values: {}, overwriteMaxAllowed: {} }
const NONE = { request: NOTHING, limit: NOTHING }
const RESOURCES: ResourceSettings = {
  build: {
    request: { values: { cpu: '100m' }, overwriteMaxAllowed: {} },
    limit: { values: { cpu: '1' }, overwriteMaxAllowed: { cpu: '1500m', memory: '1Gi' } },
  },
  helper: NONE,
  service: { request: NOTHING, limit: { values: { cpu: '1' }, overwriteMaxAllowed: { cpu: '2' } } },
  pod: { request: NOTHING, limit: { values: { cpu: '4' }, overwriteMaxAllowed: {} } },
}

test('a job chooses what the patterns of the settings allow', () => {
  const { pod, namespace, lines } = planned({
    settings: {
      namespace: 'ci',
      namespaceOverwriteAllowed: '^ci-',
      serviceAccountOverwriteAllowed: '.*',
      nodeSelector: { arch: 'amd64', disk: 'ssd' },
      nodeSelectorOverwriteAllowed: '^arch=',
      nodeTolerationsOverwriteAllowed: '.*',
      podLabelsOverwriteAllowed: '.*',
      podAnnotationsOverwriteAllowed: '.*',
    },
    variables: {
      KUBERNETES_NAMESPACE_OVERWRITE: 'ci-web',
      KUBERNETES_SERVICE_ACCOUNT_OVERWRITE: 'deployer',
      KUBERNETES_NODE_SELECTOR_ARCH: 'arch=arm64',
      KUBERNETES_NODE_TOLERATIONS_1: 'dedicated=ci:NoSchedule',
      KUBERNETES_POD_LABELS_1: 'team=web',
      KUBERNETES_POD_ANNOTATIONS_1: 'example.com/note=a=b',
    },
  })
  expect(namespace).toBe('ci-web')
  expect(pod.spec).toMatchObject({
    serviceAccountName: 'deployer',
    nodeSelector: { arch: 'arm64', disk: 'ssd' },
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'ci', effect: 'NoSchedule' }],
  })
  expect(pod.metadata).toMatchObject({ labels: { team: 'web' }, annotations: { 'example.com/note': 'a=b' } })
  expect(lines).toContain('Using namespace "ci-web" from KUBERNETES_NAMESPACE_OVERWRITE')
})

test('variables for settings that a job may not overwrite have no effect, with a warning', () => {
  const { namespace, warnings } = planned({
    settings: { namespace: 'ci' },
    variables: { KUBERNETES_NAMESPACE_OVERWRITE: 'kube-system', KUBERNETES_NODE_SELECTOR_1: 'a=b' },
  })
  expect(namespace).toBe('ci')
  expect(warnings).toEqual([
    'KUBERNETES_NAMESPACE_OVERWRITE: no effect, because namespace_overwrite_allowed is not set in the settings of this runner',
    'KUBERNETES_NODE_SELECTOR_1: no effect, because node_selector_overwrite_allowed is not set in the settings of this runner',
  ])
})

test.each([
  [
    { namespaceOverwriteAllowed: '^ci-' },
    { KUBERNETES_NAMESPACE_OVERWRITE: 'kube-system' },
    'The runner does not allow "kube-system" in KUBERNETES_NAMESPACE_OVERWRITE: it does not match namespace_overwrite_allowed, "^ci-"',
  ],
  [
    { podLabelsOverwriteAllowed: '.*' },
    { KUBERNETES_POD_LABELS_1: 'team' },
    'KUBERNETES_POD_LABELS_1 is "team", but must have the form key=value',
  ],
  [
    { resources: RESOURCES },
    { KUBERNETES_CPU_LIMIT: '1501m' },
    'The runner does not allow "1501m" in KUBERNETES_CPU_LIMIT: at most 1500m (cpu_limit_overwrite_max_allowed)',
  ],
  [
    { resources: RESOURCES },
    { KUBERNETES_MEMORY_LIMIT: 'much' },
    'KUBERNETES_MEMORY_LIMIT is "much", but must be a quantity such as 512Mi',
  ],
])('%j with %j fails the job', (settings, variables, message) => {
  expect(() => planned({ settings, variables })).toThrow(
    expect.objectContaining({ message, reason: 'runner_configuration_error' }),
  )
})

test('requests and limits are those of the settings, or of the job up to the maximum', () => {
  const { pod, warnings } = planned({
    settings: { resources: RESOURCES },
    variables: {
      KUBERNETES_CPU_LIMIT: '1.5',
      KUBERNETES_CPU_REQUEST: '1',
      KUBERNETES_MEMORY_LIMIT: '1024Mi',
    },
  })
  expect(containerOf({ pod }, 'build').resources).toEqual({
    requests: { cpu: '100m' },
    limits: { cpu: '1.5', memory: '1024Mi' },
  })
  expect(containerOf({ pod }, 'helper').resources).toBeUndefined()
  expect(pod.spec?.resources).toEqual({ requests: undefined, limits: { cpu: '4' } })
  expect(warnings).toEqual([expect.stringContaining('cpu_request_overwrite_max_allowed is not set')])
})

test("the variables of a service set its own limits, before the job's", () => {
  const service = (environment: Record<string, string>) => ({
    name: 'redis',
    aliases: [],
    entrypoint: undefined,
    command: undefined,
    environment,
    pullPolicy: undefined,
    user: undefined,
    platform: undefined,
    isConfigured: false,
  })
  const plan = planned({
    settings: { resources: RESOURCES },
    variables: { KUBERNETES_SERVICE_CPU_LIMIT: '500m' },
    job: { services: [service({}), service({ KUBERNETES_SERVICE_CPU_LIMIT: '2' })] },
  })
  expect(containerOf(plan, 'svc-0').resources?.limits).toEqual({ cpu: '500m' })
  expect(containerOf(plan, 'svc-1').resources?.limits).toEqual({ cpu: '2' })
})
