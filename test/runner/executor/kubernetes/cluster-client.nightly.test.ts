import { createHash, randomBytes } from 'node:crypto'

import type { V1Pod } from '@kubernetes/client-node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { ClusterTimes } from '../../../../src/runner/executor/kubernetes/cluster/cluster-times.js'
import type { Cluster } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import { createCluster } from '../../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import { NEEDED_RIGHTS } from '../../../../src/runner/executor/kubernetes/needed-rights.js'
import { finish } from '../../../support/kubernetes/cluster-on-server.js'
import { openWithCleanUps } from '../../../support/lifetime.js'
import { openTestCluster, TEST_CLUSTER } from '../../../support/test-cluster.js'

const NEVER = new AbortController().signal

const RUN = randomBytes(4).toString('hex')
const LABELS = { 'switchyard-test': RUN }
const POD = `switchyard-test-${RUN}`

let cluster: Cluster
let namespace: string
let close: () => Promise<void>

/** Creates a pod, and resolves with the first of its states that is wanted. */
async function createPod(name: string, script: string, isWanted: (pod: V1Pod) => boolean): Promise<V1Pod> {
  await cluster.createPod(namespace, podOf(name, script))
  return await untilState(name, isWanted)
}

function podOf(name: string, script: string, image = TEST_CLUSTER.helperImage): V1Pod {
  const container = { name: 'build', image, command: ['sh', '-c', script], imagePullPolicy: 'IfNotPresent' }
  return {
    metadata: { name, labels: LABELS },
    spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container] },
  }
}

function untilState(name: string, isWanted: (pod: V1Pod) => boolean): Promise<V1Pod> {
  return new Promise((resolve, reject) => {
    const stop = cluster.follow(namespace, name, {
      changed: (pod) => {
        if (!isWanted(pod)) return
        setImmediate(() => stop())
        resolve(pod)
      },
      deleted: () => reject(new Error(`the pod ${name} was deleted`)),
    })
  })
}

async function connect(times: Partial<ClusterTimes> = {}): Promise<Cluster> {
  const logger = createLogger('test', 'silent')
  const { kubeconfig } = TEST_CLUSTER
  return await createCluster({ kubeconfig }, { labelSelector: `switchyard-test=${RUN}`, logger, times })
}

const stateOf = (pod: V1Pod) => pod.status?.containerStatuses?.[0]?.state
const exec = (command: string[], size?: { columns: number; rows: number }) =>
  cluster.exec({ namespace, pod: POD, container: 'build' }, { command, size }, NEVER)

describe('the client at a real cluster', () => {
  beforeEach(({ skip }) => skip(TEST_CLUSTER.missing !== undefined, TEST_CLUSTER.missing))

  beforeAll(async () => {
    if (TEST_CLUSTER.missing !== undefined) return
    const opened = await openWithCleanUps(openTestCluster)
    close = opened.close
    namespace = opened.value.namespace
    cluster = await connect()
    const script = 'echo begun; trap "exit 0" TERM; while :; do sleep 0.1; done'
    await createPod(POD, script, (pod) => Boolean(stateOf(pod)?.running))
  })

  afterAll(async () => {
    if (TEST_CLUSTER.missing !== undefined) return
    cluster.close()
    await close()
  })

  test('the credentials have the rights that jobs need', async () => {
    expect(await cluster.version()).toMatch(/^v1\.\d+\./)
    const rights = NEEDED_RIGHTS.map(({ verb, resource }) => ({ namespace, verb, resource }))
    expect(await cluster.missingRights(rights)).toEqual([])
  })

  test('a command gives its output, its errors and its exit code', async () => {
    expect(await finish(await exec(['sh', '-c', 'echo out; echo err >&2; exit 3']))).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 3,
    })
  })

  test('megabytes go through a command unchanged', async () => {
    const data = randomBytes(8 * 1024 * 1024)
    const shell = await exec(['head', '-c', String(data.length)])
    shell.input.write(data)
    const { stdout, exitCode } = await finish(shell)
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(hash(Buffer.from(stdout, 'latin1'))).toBe(hash(data))
    expect(exitCode).toBe(0)
  })

  test('a terminal has the size of the request', async () => {
    const shell = await exec(['sh', '-c', 'sleep 1; stty size'], { columns: 100, rows: 40 })
    expect(await finish(shell)).toEqual({ stdout: '40 100\r\n', stderr: '', exitCode: 0 })
  })

  test('a command that prints nothing for minutes keeps its connection', async () => {
    expect(await finish(await exec(['sh', '-c', 'sleep 150; echo end']))).toMatchObject({ stdout: 'end\n' })
  })

  test('commands that cannot be run have the words of the cluster', async () => {
    const place = { namespace, pod: POD, container: 'none' }
    const request = { command: ['true'], size: undefined }
    await expect(cluster.exec(place, request, NEVER)).rejects.toMatchObject({
      name: 'ClusterError',
      status: 400,
    })
    await expect(cluster.exec({ ...place, pod: 'none' }, request, NEVER)).rejects.toMatchObject({
      status: 404,
    })
  })

  test('the log of a container is followed', async () => {
    const place = { namespace, pod: POD, container: 'build' }
    for await (const chunk of await cluster.logs(place, NEVER)) {
      expect(chunk.toString()).toBe('begun\n')
      break
    }
  })

  test('a pod is followed through a watch that ends and begins again, until it is deleted', async () => {
    const others = await connect({ watch: 1000 })
    const name = `${POD}-followed`
    await cluster.createPod(namespace, podOf(name, 'sleep 5; exit 7'))
    const phases: (string | undefined)[] = []
    const deleted = new Promise<void>((resolve) => {
      others.follow(namespace, name, {
        changed: (pod) => {
          phases.push(pod.status?.phase)
          if (stateOf(pod)?.terminated?.exitCode === 7) {
            void cluster.deletePod(namespace, name, { uid: pod.metadata?.uid })
          }
        },
        deleted: resolve,
      })
    })
    await deleted
    others.close()
    expect(phases[0]).toBe('Pending')
    expect(phases.at(-1)).toBe('Failed')
  })

  test('an image that cannot be pulled, and a node that cannot be found, are reported as states', async () => {
    const names = { image: `${POD}-image`, node: `${POD}-node` }
    await cluster.createPod(namespace, podOf(names.image, 'true', '127.0.0.1:1/no-such-image:1'))
    const waiting = await untilState(names.image, (pod) => stateOf(pod)?.waiting?.reason === 'ErrImagePull')
    expect(stateOf(waiting)?.waiting?.message).toContain('127.0.0.1:1')
    const { metadata, spec } = podOf(names.node, 'true')
    const nodeSelector = { 'switchyard-test': 'no-such-node' }
    await cluster.createPod(namespace, {
      metadata,
      spec: { containers: spec?.containers ?? [], nodeSelector },
    })
    const conditionOf = (pod: V1Pod) => pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    const unplaced = await untilState(names.node, (pod) => conditionOf(pod)?.reason === 'Unschedulable')
    expect(conditionOf(unplaced)?.message).toMatch(/nodes are available/)
  })

  test('a volume that cannot be mounted is a warning about its pod', async () => {
    const volumeMounts = [{ name: 'data', mountPath: '/data' }]
    const created = await cluster.createPod(namespace, {
      metadata: { name: `${POD}-volume`, labels: LABELS },
      spec: {
        containers: [{ name: 'build', image: TEST_CLUSTER.helperImage, volumeMounts }],
        volumes: [{ name: 'data', configMap: { name: 'no-such-map' } }],
      },
    })
    const reason = await new Promise<string | undefined>((resolve) => {
      const stop = cluster.followWarnings(namespace, created.metadata?.uid ?? '', (event) => {
        if (!event.message?.includes('no-such-map')) return
        setImmediate(() => stop())
        resolve(event.reason)
      })
    })
    expect(reason).toBe('FailedMount')
  })
})
