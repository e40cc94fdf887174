import { type Duplex, PassThrough } from 'node:stream'

import type { V1Pod } from '@kubernetes/client-node'
import { beforeEach, expect, test, vi } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import {
  type Cluster,
  ClusterError,
  type ClusterShell,
  type PodListener,
} from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import { helperConnection } from '../../../../src/runner/executor/kubernetes/helper-connection.js'
import { FollowedPod } from '../../../../src/runner/executor/kubernetes/pod/followed-pod.js'
import { NEVER } from '../docker-jobs.js'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const logger = createLogger('runner', 'silent')

function podWith(nodeName: string | undefined, state: 'waiting' | 'running'): V1Pod {
  const image = 'switchyard:test'
  const status = {
    name: 'helper',
    image,
    imageID: '',
    ready: false,
    restartCount: 0,
    state: state === 'running' ? { running: {} } : { waiting: { reason: 'ContainerCreating' } },
  }
  return {
    metadata: { namespace: 'ci', name: 'pod', uid: 'u1' },
    spec: { containers: [{ name: 'helper', image }], ...(nodeName === undefined ? {} : { nodeName }) },
    status: { phase: state === 'running' ? 'Running' : 'Pending', containerStatuses: [status] },
  }
}

/** A pod whose node refuses commands with the status, until `started`. */
function scene(first: V1Pod, refusal: number, patience = 0) {
  let listener: PodListener | undefined
  let isStarted = false
  const exec = vi.fn<Cluster['exec']>(async () => {
    if (!isStarted) throw new ClusterError('container not found ("helper")', refusal, undefined)
    const output = (async function* (): AsyncGenerator<never> {})()
    return {
      input: new PassThrough(),
      output,
      exitCode: async () => 0,
      resize: async () => {},
      passesEndOfInput: true,
    } satisfies ClusterShell
  })
  const follow: Cluster['follow'] = (_namespace, _name, given) => {
    listener = given
    return () => {}
  }
  const pod = new FollowedPod({ follow }, first)
  const connect = helperConnection({ cluster: { exec }, pod, command: ['helper'], patience, logger })
  return {
    exec,
    pod,
    connect: () => connect(NEVER),
    started: () => (isStarted = true),
    change: (pod: V1Pod) => listener?.changed(pod),
  }
}

/** As its reader does, which expects the error of a stream that is destroyed. */
function close(stream: Duplex): void {
  stream.on('error', () => {}).destroy()
}

test.each([400, 404, 500])(
  'a helper process starts with its container, before the cluster says that it runs (refused with %i)',
  async (refusal) => {
    const it = scene(podWith('node-1', 'waiting'), refusal)
    const connected = it.connect()
    await vi.advanceTimersByTimeAsync(600)
    it.started()
    await vi.advanceTimersByTimeAsync(300)
    close(await connected)
    expect(it.pod.state.status?.phase).toBe('Pending')
  },
)

test('nothing is asked of a node before the pod has one', async () => {
  const it = scene(podWith(undefined, 'waiting'), 500)
  it.started()
  const connected = it.connect()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(it.exec).not.toHaveBeenCalled()
  it.change(podWith('node-1', 'waiting'))
  close(await connected)
})

test('while images are pulled, the node is asked a few times, and then when the pod changes', async () => {
  const it = scene(podWith('node-1', 'waiting'), 500)
  const connected = it.connect()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(it.exec.mock.calls.length).toBeLessThan(20)
  it.started()
  it.change(podWith('node-1', 'running'))
  close(await connected)
})

test.each([
  ['a container that runs', 'running', 404],
  ['a right that is missing', 'waiting', 403],
] as const)('what is refused for %s is not tried again', async (_, state, refusal) => {
  const it = scene(podWith('node-1', state), refusal)
  await expect(it.connect()).rejects.toThrow('container not found ("helper")')
  expect(it.exec).toHaveBeenCalledOnce()
})

test('the patience for an API server that is away begins when the containers run', async () => {
  const it = scene(podWith('node-1', 'waiting'), 500, 1000)
  const connected = it.connect()
  await vi.advanceTimersByTimeAsync(3_600_000)
  it.change(podWith('node-1', 'running'))
  await vi.advanceTimersByTimeAsync(100)
  it.started()
  await vi.advanceTimersByTimeAsync(1000)
  close(await connected)
})

test('a pod that is lost before its container runs ends the attempts', async () => {
  const it = scene(podWith('node-1', 'waiting'), 500)
  const connected = it.connect()
  const failed = expect(connected).rejects.toThrow('was evicted')
  await vi.advanceTimersByTimeAsync(100)
  const evicted = podWith('node-1', 'waiting')
  evicted.status = { phase: 'Failed', reason: 'Evicted' }
  it.change(evicted)
  await failed
})
