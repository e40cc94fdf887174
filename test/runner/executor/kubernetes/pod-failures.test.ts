import type { V1ContainerStatus, V1Pod, V1PodStatus } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'

import {
  findBuildFailure,
  findPodFailure,
  podDeleted,
} from '../../../../src/runner/executor/kubernetes/pod/pod-failures.js'

// The messages are those of Kubernetes 1.21 to 1.30.

const running = { running: {} }
const waiting = (reason: string, message?: string) => ({ waiting: { reason, message } })
const terminated = (reason: string, exitCode: number, message?: string) => ({
  terminated: { reason, exitCode, ...(message === undefined ? {} : { message }) },
})

function container(name: string, state: V1ContainerStatus['state']): V1ContainerStatus {
  return { name, image: 'sha256:0123', imageID: '', ready: false, restartCount: 0, ...(state && { state }) }
}

function podWith(status: V1PodStatus, { deletionTimestamp }: { deletionTimestamp?: Date } = {}): V1Pod {
  return {
    metadata: { namespace: 'ci', name: 'runner-1', ...(deletionTimestamp && { deletionTimestamp }) },
    spec: {
      containers: [
        { name: 'build', image: 'alpine:3' },
        { name: 'helper', image: 'switchyard:1' },
        { name: 'svc-0', image: 'postgres:15' },
      ],
    },
    status,
  }
}

const withContainers = (states: Record<string, V1ContainerStatus['state']>) =>
  podWith({
    phase: 'Running',
    containerStatuses: Object.entries({ build: running, helper: running, ...states }).map(([name, state]) =>
      container(name, state),
    ),
  })

const disruption = (reason: string, message: string) =>
  podWith(
    {
      phase: 'Running',
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason, message }],
    },
    { deletionTimestamp: new Date() },
  )

describe('a pod that can run nothing any more', () => {
  test.each<[string, V1Pod, string, string]>([
    [
      'evicted',
      podWith({
        phase: 'Failed',
        reason: 'Evicted',
        message: 'The node was low on resource: ephemeral-storage.',
      }),
      'runner_system_failure',
      'The pod ci/runner-1 was evicted by its node: The node was low on resource: ephemeral-storage.',
    ],
    [
      'past its deadline',
      podWith({
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        message: 'Pod was active on the node longer than the specified deadline',
        containerStatuses: [container('build', terminated('Error', 137))],
      }),
      'job_execution_timeout',
      'The pod ci/runner-1 ran for longer than its deadline (activeDeadlineSeconds of the pod)',
    ],
    [
      'on a lost node',
      podWith(
        {
          phase: 'Running',
          reason: 'NodeLost',
          message: 'Node n1 which was running pod runner-1 is unresponsive',
        },
        { deletionTimestamp: new Date() },
      ),
      'runner_system_failure',
      'is on a node that no longer responds: Node n1 which was running pod runner-1 is unresponsive',
    ],
    ['of an unknown node', podWith({ phase: 'Unknown' }), 'runner_system_failure', 'no longer responds'],
    [
      'on a node that shuts down',
      podWith({
        phase: 'Failed',
        reason: 'Terminated',
        message: 'Pod was terminated in response to imminent node shutdown.',
      }),
      'runner_system_failure',
      'was ended by the shutdown of its node: Pod was terminated in response',
    ],
    [
      'refused by its node',
      podWith({ phase: 'Failed', reason: 'OutOfcpu', message: "Pod Node didn't have enough resource: cpu" }),
      'runner_system_failure',
      "was refused by its node: Pod Node didn't have enough resource: cpu",
    ],
    [
      'failed for a reason that this runner does not know',
      podWith({ phase: 'Failed', reason: 'NewReason', message: 'new words' }),
      'runner_system_failure',
      'The pod ci/runner-1 failed (NewReason): new words',
    ],
    [
      'preempted',
      disruption(
        'PreemptionByScheduler',
        'default-scheduler: preempting to accommodate a higher priority pod',
      ),
      'runner_system_failure',
      'was preempted by a pod with a higher priority: default-scheduler: preempting',
    ],
    [
      'evicted by a drain',
      disruption('EvictionByEvictionAPI', 'Eviction API: evicting'),
      'runner_system_failure',
      'was evicted by a client of the cluster, as when its node is drained: Eviction API: evicting',
    ],
    [
      'deleted for a taint',
      disruption('DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint'),
      'runner_system_failure',
      'was deleted because of a taint of its node',
    ],
    [
      'deleted by somebody',
      podWith({ phase: 'Running' }, { deletionTimestamp: new Date() }),
      'runner_system_failure',
      'The pod ci/runner-1 was deleted by another client of the cluster, or with its node',
    ],
    [
      'with a wrong image name',
      withContainers({ build: waiting('InvalidImageName', 'couldn\'t parse image reference "No Such"') }),
      'runner_configuration_error',
      'The name of the image "alpine:3" is not valid: couldn\'t parse image reference "No Such"',
    ],
    [
      'with a secret that does not exist',
      withContainers({ build: waiting('CreateContainerConfigError', 'secret "x" not found') }),
      'runner_configuration_error',
      'The container "build" of the pod ci/runner-1 cannot be created: secret "x" not found',
    ],
    [
      'without shell, by the message of CRI-O',
      withContainers({
        build: waiting('CreateContainerError', 'exec: "sh": executable file not found in $PATH'),
      }),
      'runner_configuration_error',
      'The image "alpine:3" cannot run a script: it has no shell "sh"',
    ],
    [
      'whose init container failed',
      podWith({
        phase: 'Pending',
        initContainerStatuses: [container('init-permissions', terminated('Error', 1, 'chmod: no'))],
      }),
      'runner_system_failure',
      'The container "init-permissions" of the pod ci/runner-1 ended with exit code 1 (Error: chmod: no)',
    ],
    [
      'whose helper ran out of memory',
      withContainers({ helper: terminated('OOMKilled', 137) }),
      'runner_system_failure',
      'The container "helper" ran out of memory and was killed. Raise the "helper_memory_limit" setting',
    ],
    [
      'whose helper ended',
      withContainers({ helper: terminated('Error', 1) }),
      'runner_system_failure',
      'The container "helper" of the pod ci/runner-1 ended with exit code 1 (Error)',
    ],
  ])('%s fails with the words of the cluster', (_name, pod, reason, message) => {
    const failure = findPodFailure(pod)
    expect(failure).toMatchObject({ reason })
    expect(failure?.message).toContain(message)
  })

  test('that no longer exists was deleted by somebody else', () => {
    expect(podDeleted(podWith({})).reason).toBe('runner_system_failure')
  })
})

describe('a container of a job that has ended', () => {
  test.each<[string, V1ContainerStatus['state'], object, string]>([
    [
      'for its memory, counts as a killed script',
      terminated('OOMKilled', 137),
      { reason: 'script_failure', exitCode: 137 },
      'The container "build" ran out of memory and was killed. Raise the "memory_limit" setting',
    ],
    [
      'because it has no shell (Docker), blames the image',
      terminated('ContainerCannotRun', 127, 'exec: "sh": executable file not found in $PATH: unknown'),
      { reason: 'runner_configuration_error' },
      'The image "alpine:3" cannot run a script: it has no shell "sh"',
    ],
    [
      'because it has no shell (containerd), blames the image',
      terminated(
        'StartError',
        128,
        'failed to create containerd task: exec: "sh": executable file not found',
      ),
      { reason: 'runner_configuration_error' },
      'The image "alpine:3" cannot run a script',
    ],
    [
      'by itself, blames the entrypoint of the image',
      terminated('Completed', 0),
      { reason: 'runner_configuration_error' },
      'The container of the image "alpine:3" ended before the script of the job did',
    ],
    [
      'by a signal from elsewhere, blames the runner',
      terminated('Error', 137),
      { reason: 'runner_system_failure' },
      'The container "build" of the pod ci/runner-1 ended with exit code 137 (Error): another process has killed it',
    ],
  ])('%s', (_name, state, failure, message) => {
    const pod = withContainers({ build: state })
    expect(findBuildFailure(pod)).toMatchObject(failure)
    expect(findBuildFailure(pod)?.message).toContain(message)
    // Its files can still be read.
    expect(findPodFailure(pod)).toBeUndefined()
  })
})

test.each<[string, V1Pod]>([
  ['waits for a node', podWith({ phase: 'Pending', conditions: [unschedulable()] })],
  ['creates its containers', withContainers({ build: waiting('ContainerCreating') })],
  ['pulls again', withContainers({ build: waiting('ImagePullBackOff', 'Back-off pulling image') })],
  [
    'waits for a new secret',
    withContainers({ build: waiting('CreateContainerConfigError', 'failed to sync secret cache') }),
  ],
  ['is busy', withContainers({ build: waiting('CreateContainerError', 'context deadline exceeded') })],
  ['runs', withContainers({})],
  ['has a service that ended', withContainers({ 'svc-0': terminated('Error', 1) })],
])('a pod that %s has not failed', (_name, pod) => {
  expect(findPodFailure(pod)).toBeUndefined()
  expect(findBuildFailure(pod)).toBeUndefined()
})

test('a message that the job wrote cannot write other lines of the log', () => {
  const pod = withContainers({ helper: terminated('Error', 1, 'a\n\x1b[31mb') })
  expect(findPodFailure(pod)?.message).toContain('(Error: a [31mb)')
})

function unschedulable() {
  const message = '0/1 nodes are available: 1 Insufficient cpu.'
  return { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
}
