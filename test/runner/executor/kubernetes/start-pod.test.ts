import { PassThrough } from 'node:stream'
import { setTimeout as later } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { ExecutorJob } from '../../../../src/runner/executor/executor.js'
import { type Cluster, ClusterError } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import { createCluster } from '../../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import { PodRemover } from '../../../../src/runner/executor/kubernetes/pod-remover.js'
import { ownSelector } from '../../../../src/runner/executor/kubernetes/pod/pod-labels.js'
import type { KubernetesExecutorSettings } from '../../../../src/runner/executor/kubernetes/settings.js'
import { startPod } from '../../../../src/runner/executor/kubernetes/start-pod.js'
import { JobLog } from '../../../../src/runner/trace/job-log.js'
import { executorJob } from '../../../support/executor-job.js'
import { type ApiServer, startApiServer } from '../../../support/kubernetes/api-server.js'
import { onFinished } from '../../../support/lifetime.js'
import { tempDir } from '../../../support/temp-dir.js'

const NOT_FOUND = 'rpc error: code = Unknown desc = manifest for alpine:9 not found: manifest unknown'
const CREDENTIALS = JSON.stringify({ auths: { 'registry.example': { auth: 'dTpw' } } })
const logger = createLogger('runner', 'silent')

interface Scene {
  server: ApiServer
  cluster: Cluster
  /** The log so far. */
  log: () => string
  /** Resolves when the log has the text. */
  logged: (text: string) => Promise<void>
  start: (job?: Partial<ExecutorJob>) => ReturnType<typeof startPod>
  stop: AbortController
}

async function scene(changes: Partial<KubernetesExecutorSettings> = {}): Promise<Scene> {
  const server = await startApiServer()
  const directory = await tempDir()
  const settings: KubernetesExecutorSettings = {
    image: 'alpine:9',
    namespace: 'ci',
    pollTimeoutSeconds: 20,
    cleanupGracePeriodSeconds: 0,
    runnerShortToken: 'abc',
    systemId: 's_1',
    buildsDir: `${directory}/builds`,
    ...changes,
  }
  const cluster = await createCluster(server.settings, {
    labelSelector: ownSelector(settings),
    logger,
    times: { eventDelay: 1 },
  })
  onFinished(() => cluster.close())
  const output = new PassThrough()
  let text = ''
  output.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const stop = new AbortController()
  const starter = {
    cluster,
    settings,
    places: {
      builds: settings.buildsDir,
      control: directory,
      git: `${directory}/git`,
      own: `${directory}/own`,
    },
    remover: new PodRemover(cluster, 0, logger),
    logger,
  }
  return {
    server,
    cluster,
    log: () => text,
    logged: async (wanted) => {
      while (!text.includes(wanted)) await later(2)
    },
    start: (job) => startPod(starter, executorJob(job), new JobLog(output), stop.signal),
    stop,
  }
}

const noneLeft = async ({ server }: Scene) => {
  while (server.pods.all().length + server.secrets.all().length > 0) await later(2)
}

test('the log has what the reference writes, until all containers run', async () => {
  const { start, log, logged, server } = await scene()
  const allow = server.misbehaviour.holdStarts()
  const starting = start()
  await logged('ContainersNotReady: "containers with unready status: [build helper]"')
  allow()
  const pod = await starting
  expect(pod.title).toMatch(/^ci\/runner-abc-project-3-concurrent-1-/)
  expect(log()).toContain('Using Kubernetes namespace: ci')
  expect(log()).toContain('Using Kubernetes executor with image alpine:9 ...')
  expect(log()).toContain(`Waiting for pod ${pod.title} to be running, status is Pending`)
})

test('credentials are in a secret that the cluster deletes with the pod', async () => {
  const { start, server } = await scene()
  const pod = await start({ authConfig: CREDENTIALS })
  const [secret] = server.secrets.all()
  expect(secret).toMatchObject({
    metadata: {
      ownerReferences: [{ kind: 'Pod', name: pod.state.metadata?.name, uid: pod.state.metadata?.uid }],
    },
  })
  expect(pod.state.spec?.imagePullSecrets).toEqual([{ name: secret?.metadata.name }])
  expect(server.requests.filter((request) => / .*secrets/.test(request))).toEqual([
    'POST /api/v1/namespaces/ci/secrets',
  ])
})

test('each sentence of the scheduler is in the log at once, and once', async () => {
  const { start, server, log, logged } = await scene()
  server.misbehaviour.leaveNoRoom('0/3 nodes are available: 3 Insufficient cpu.')
  const starting = start()
  await logged('\tUnschedulable: "0/3 nodes are available: 3 Insufficient cpu."')
  server.misbehaviour.makeRoom()
  await starting
  expect(log().match(/Insufficient cpu/g)).toHaveLength(1)
})

describe('a warning about a pod that waits', () => {
  /** A pod whose containers are not started. `warn` records a warning about it. */
  async function waitingPod(
    changes: Partial<KubernetesExecutorSettings> = {},
    job: Partial<ExecutorJob> = {},
  ) {
    const it = await scene(changes)
    const allow = it.server.misbehaviour.holdStarts()
    onFinished(allow)
    const starting = it.start(job)
    await it.logged('is Pending')
    const warn = (reason: string, message: string) => {
      const [pod] = it.server.pods.all()
      if (pod) it.server.recorder.record(pod, reason, message)
    }
    return { ...it, starting, allow, warn }
  }

  const MOUNT = 'MountVolume.SetUp failed for volume "data" : configmap "data" not found'
  const sandbox = (id: string) =>
    `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${id}": no IP addresses available`

  test('is in the log while it waits, each sentence once', async () => {
    const { warn, logged, log, allow, starting } = await waitingPod()
    warn('FailedMount', MOUNT)
    await logged(`\tFailedMount: "${MOUNT}"`)
    warn('FailedMount', MOUNT)
    warn('FailedCreatePodSandBox', sandbox('1b2c3d4e5f60718293a4'))
    warn('FailedCreatePodSandBox', sandbox('99aabbccddeeff001122'))
    warn('FailedCreatePodSandBox', `(combined from similar events): ${sandbox('0123456789abcdef0123')}`)
    warn('NetworkNotReady', 'network is not ready')
    await logged('\tNetworkNotReady: "network is not ready"')
    allow()
    await starting
    expect(log().match(/FailedMount/g)).toHaveLength(1)
    expect(log().match(/no IP addresses available/g)).toHaveLength(1)
  })

  test('is not repeated if the states of pod and containers say the same', async () => {
    const { server, start, logged, log } = await scene()
    server.misbehaviour.leaveNoRoom('0/3 nodes are available: 3 Insufficient cpu.')
    server.misbehaviour.refuseImage('alpine:9', 'rpc error: code = Unknown desc = connection reset')
    const starting = start()
    await logged('Unschedulable')
    const [pod] = server.pods.all()
    if (!pod) throw new Error('There is no pod')
    server.recorder.record(pod, 'FailedScheduling', '0/3 nodes are available: 3 Insufficient cpu.')
    server.misbehaviour.makeRoom()
    await logged('ImagePullBackOff')
    for (const sentence of [
      'Failed to pull image "alpine:9": rpc error: code = Unknown desc = connection reset',
      'Error: ErrImagePull',
      'Error: ImagePullBackOff',
      'Error: connection reset',
    ])
      server.recorder.record(pod, 'Failed', sentence)
    server.recorder.record(pod, 'FailedMount', MOUNT)
    await logged('FailedMount')
    server.misbehaviour.acceptImage('alpine:9')
    await starting
    expect(log().match(/Insufficient cpu/g)).toHaveLength(1)
    expect(log().match(/connection reset/g)).toHaveLength(1)
    expect(log()).not.toMatch(/\tFailed:|FailedScheduling/)
  })

  test('about the secret of the job is not in the log: it is created after the pod', async () => {
    const { warn, logged, log, allow, starting } = await waitingPod({}, { authConfig: CREDENTIALS })
    warn(
      'FailedToRetrieveImagePullSecret',
      'Unable to retrieve some image pull secrets (runner-1); attempting',
    )
    warn('FailedMount', MOUNT)
    await logged('FailedMount')
    allow()
    await starting
    expect(log()).not.toContain('Unable to retrieve')
  })

  test('is neither read nor in the log if print_pod_warning_events is false', async () => {
    const { server, log, starting } = await waitingPod({
      printPodWarningEvents: false,
      pollTimeoutSeconds: 0.1,
    })
    await expect(starting).rejects.toThrow('did not run')
    expect(server.requests.filter((request) => request.includes('/events'))).toEqual([])
    expect(log()).toContain('to be running, status is Pending')
    expect(log()).not.toContain('ContainersNotReady')
  })
})

test('without the right to read events, a job runs as with it', async () => {
  const { server, start, logged, log } = await scene()
  server.misbehaviour.forbid({ namespace: 'ci', verb: 'list', resource: 'events' })
  const allow = server.misbehaviour.holdStarts()
  const starting = start()
  await logged('ContainersNotReady')
  await expect.poll(() => server.requests.some((request) => request.includes('/events'))).toBe(true)
  allow()
  await starting
  expect(log()).not.toContain('events')
})

describe('leaves nothing behind and', () => {
  test('says why a pod got no node, with a reason that is retried', async () => {
    const it = await scene({ pollTimeoutSeconds: 0.2 })
    it.server.misbehaviour.leaveNoRoom('0/3 nodes are available: 3 Insufficient cpu.')
    await expect(it.start()).rejects.toMatchObject({
      reason: 'runner_system_failure',
      message: expect.stringMatching(
        /got no node within 0.2 s: 0\/3 nodes are available.*poll_timeout/,
      ) as string,
    })
    await noneLeft(it)
  })

  test('says what containers waited for', async () => {
    const it = await scene({ pollTimeoutSeconds: 0.2 })
    onFinished(it.server.misbehaviour.holdStarts())
    await expect(it.start()).rejects.toThrow('the container "build" waits (ContainerCreating)')
    await noneLeft(it)
  })

  test('ends when the job is canceled', async () => {
    const it = await scene()
    it.server.misbehaviour.leaveNoRoom()
    const starting = it.start()
    const reason = new Error('canceled')
    await it.logged('Unschedulable')
    it.stop.abort(reason)
    await expect(starting).rejects.toBe(reason)
    await noneLeft(it)
  })

  test('names the image that cannot be pulled', async () => {
    const it = await scene()
    it.server.misbehaviour.rejectImage('alpine:9', 'ErrImagePull', NOT_FOUND)
    await expect(it.start()).rejects.toMatchObject({
      reason: 'image_pull_failure',
      message: 'The image "alpine:9" cannot be pulled: manifest for alpine:9 not found: manifest unknown',
    })
    await noneLeft(it)
  })

  test('names the quota that is used up', async () => {
    const it = await scene()
    it.server.misbehaviour.limitPods(0)
    await expect(it.start()).rejects.toMatchObject({
      reason: 'runner_system_failure',
      message: expect.stringContaining(
        'The quota of the namespace is used up while creating the pod ci/',
      ) as string,
    })
  })

  test('names the right that is missing', async () => {
    const it = await scene()
    it.server.misbehaviour.forbid({ namespace: 'ci', verb: 'create', resource: 'secrets' })
    await expect(it.start({ authConfig: CREDENTIALS })).rejects.toMatchObject({
      reason: 'runner_system_failure',
      message: expect.stringMatching(/cannot create resource "secrets".*switchyard runner check/) as string,
    })
    await noneLeft(it)
  })

  test('is notified when somebody deletes the pod', async () => {
    const it = await scene()
    onFinished(it.server.misbehaviour.holdStarts())
    const starting = it.start()
    await it.logged('ContainersNotReady')
    const [pod] = it.server.pods.all()
    if (pod) it.server.pods.remove(pod)
    await expect(starting).rejects.toThrow(/The pod ci\/\S+ was deleted by another client/)
  })
})

test('after an image failed with its pull policy, the next one is tried with a new pod', async () => {
  const it = await scene({ pullPolicy: ['never', 'always'] })
  it.server.misbehaviour.rejectImage(
    'alpine:9',
    'ErrImageNeverPull',
    'Container image "alpine:9" is not present',
  )
  const starting = it.start()
  await it.logged('ErrImageNeverPull')
  it.server.misbehaviour.acceptImage('alpine:9')
  const pod = await starting
  expect(it.log()).toContain(
    'WARNING: The image "alpine:9" is not on the node, and its pull policy is "never"',
  )
  expect(it.log()).toContain('Attempt #2: Trying "always" pull policy for the image "alpine:9"')
  expect(pod.state.spec?.containers[0]?.imagePullPolicy).toBe('Always')
  expect(it.server.pods.all()).toHaveLength(1)
})

test('a pod whose creation was not confirmed is not created twice', async () => {
  const it = await scene()
  const { createPod } = it.cluster
  it.cluster.createPod = async (...request) => {
    it.cluster.createPod = createPod
    await it.cluster.createPod(...request)
    throw new ClusterError('The connection was cut', undefined, undefined)
  }
  await it.start()
  expect(it.server.pods.all()).toHaveLength(1)
})
