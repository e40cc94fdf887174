import { expect, test } from 'vitest'

import { clusterFailure } from '../../../../src/runner/executor/kubernetes/cluster-failure.js'
import { ClusterError } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'

// The messages of API servers of Kubernetes 1.21 to 1.30.
test.each<[string, number | undefined, string, string, string]>([
  [
    'a used-up quota',
    403,
    'pods "p" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=5, limited: pods=5',
    'runner_system_failure',
    'The quota of the namespace is used up while creating the pod ci/p: pods "p" is forbidden: exceeded quota: compute',
  ],
  [
    'a quota that needs limits',
    403,
    'pods "p" is forbidden: failed quota: compute: must specify limits.memory',
    'runner_configuration_error',
    'Set them in the settings of the runner, such as "memory_limit"',
  ],
  [
    'a missing right',
    403,
    'pods is forbidden: User "system:serviceaccount:ci:runner" cannot create resource "pods" in API group "" in the namespace "ci"',
    'runner_system_failure',
    'cannot create resource "pods" in API group "" in the namespace "ci". Run "switchyard runner check"',
  ],
  [
    'a webhook that refuses',
    403,
    'admission webhook "policy.example" denied the request: no latest tag',
    'runner_configuration_error',
    'A rule of the cluster refuses the pod while creating the pod ci/p: admission webhook "policy.example" denied',
  ],
  [
    'a rule for pods',
    403,
    'pods "p" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
    'runner_configuration_error',
    'A rule of the cluster refuses the pod',
  ],
  [
    'a missing service account',
    403,
    'pods "p" is forbidden: error looking up service account ci/deploy: serviceaccount "deploy" not found',
    'runner_configuration_error',
    'The service account does not exist',
  ],
  [
    'an unknown refusal',
    403,
    'pods "p" is forbidden: not today',
    'runner_configuration_error',
    'The API server refuses the request while creating the pod ci/p: pods "p" is forbidden: not today.',
  ],
  [
    'a pod that is not valid',
    422,
    'Pod "p" is invalid: spec.nodeSelector: Invalid value',
    'runner_configuration_error',
    'The Kubernetes API server failed while creating the pod ci/p: Pod "p" is invalid',
  ],
  [
    'a missing namespace',
    404,
    'namespaces "ci" not found',
    'runner_configuration_error',
    'namespaces "ci" not found',
  ],
  ['expired credentials', 401, 'Unauthorized', 'runner_system_failure', 'does not accept the credentials'],
  [
    'a server that is away',
    undefined,
    'The API server at https://k:6443 cannot be reached: connection refused',
    'runner_system_failure',
    'The Kubernetes API server does not respond while creating the pod ci/p',
  ],
  ['a server that is busy', 503, 'too busy', 'runner_system_failure', 'API server failed while creating'],
])('%s: the right reason, and what to do', (_name, status, message, reason, sentence) => {
  const failure = clusterFailure(new ClusterError(message, status, undefined), 'creating the pod ci/p')
  expect(failure.reason).toBe(reason)
  expect(failure.message).toContain(sentence)
})
