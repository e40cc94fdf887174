import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { KubeConfig } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'

import { randomFrom } from '../coordinator/ci/engine/support/random.js'
import { onFinished } from '../support/lifetime.js'
import { type NetworkDoor, openNetworkDoor } from '../support/network-door.js'
import { loadImage, openTestCluster, TEST_CLUSTER, type TestNamespace } from '../support/test-cluster.js'
import { expectAllOnce, type Kill, killUntilFinished, printingJobs } from './support/killed-fleets.js'
import { System } from './support/system.js'

const JOBS = Number(process.env['SWITCHYARD_KILL_JOBS'] ?? 60)
const MAX_KILLS = 6
/** Milliseconds for which the API server is away. */
const API_AWAY = { least: 500, most: 20_000 }
/** A random one, or that of SWITCHYARD_TEST_SEEDS, to repeat a failure. */
const SEED = Number(process.env['SWITCHYARD_TEST_SEEDS']?.split(',')[0] ?? randomInt(2 ** 31))

const KILLED = ['runner', 'one of two replicas', 'API server', 'pod'] as const
const { missing } = TEST_CLUSTER

describe.skipIf(missing !== undefined)(
  `${JOBS} jobs in a cluster, seed ${SEED} (${missing ?? 'set'})`,
  () => {
    test.each(KILLED)('%s killed again and again', async (killed) => {
      const below = randomFrom(SEED)
      const system = await System.startInProcess()
      onFinished(() => system.stop())
      const cluster = await openTestCluster()
      const door = await openDoor(system, cluster)
      if (killed === 'one of two replicas') await system.startReplica()
      const project = await system.createProject()
      const pipeline = await project.pushCi(printingJobs(JOBS))
      const finished = project.finished(pipeline)
      const kills = await killUntilFinished(killOf(killed, system, cluster, door), {
        most: MAX_KILLS,
        below,
        finished,
      })
      const tally = await expectAllOnce(system, project, pipeline, JOBS)
      await expect.poll(() => cluster.leftovers(), { interval: 500, timeout: 60_000 }).toEqual([])
      await system.stopRunner('SIGQUIT')
      process.stdout.write(`${killed} at ${cluster.version}: ${JSON.stringify({ kills, ...tally })}\n`)
    })
  },
)

/** Starts a runner that reaches the API server through a door. */
async function openDoor(system: System, { namespace }: TestNamespace): Promise<NetworkDoor> {
  await loadImage(system.image)
  const config = new KubeConfig()
  config.loadFromFile(TEST_CLUSTER.kubeconfig)
  const { server } = config.getCurrentCluster() ?? { server: '' }
  const { hostname, port } = new URL(server)
  const door = await openNetworkDoor('loopback', () => connect(Number(port || 443), hostname))
  config.loadFromOptions({
    users: config.users,
    contexts: config.contexts,
    currentContext: config.currentContext,
    clusters: config.clusters.map((cluster) => ({
      ...cluster,
      server: `https://127.0.0.1:${door.port}`,
      tlsServerName: hostname,
    })),
  })
  const kubeconfig = join(system.directory, 'kubeconfig')
  await writeFile(kubeconfig, config.exportConfig())
  await system.startRunner({
    concurrent: 6,
    networkMode: 'default',
    flags: [
      ...[
        '--executor',
        'kubernetes',
        '--kubernetes-image',
        system.image,
        '--kubernetes-pull-policy',
        'if-not-present',
      ],
      ...['--kubernetes-kubeconfig', kubeconfig, '--kubernetes-namespace', namespace],
      ...['--kubernetes-helper-image', TEST_CLUSTER.helperImage],
    ],
  })
  return door
}

function killOf(
  killed: (typeof KILLED)[number],
  system: System,
  cluster: TestNamespace,
  door: NetworkDoor,
): Kill {
  switch (killed) {
    case 'runner':
    case 'one of two replicas':
      return async () => {
        await system.stopRunner('SIGKILL')
        await system.restartRunner()
      }
    case 'API server':
      return async (below) => {
        door.shut()
        await sleep(API_AWAY.least + below(API_AWAY.most - API_AWAY.least))
        door.open()
      }
    case 'pod':
      return async (below) => {
        const { items } = await cluster.api.listNamespacedPod({ namespace: cluster.namespace })
        const running = items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
        const name = running[below(Math.max(1, running.length))]?.metadata?.name
        if (name === undefined) return
        await cluster.api.deleteNamespacedPod({ name, namespace: cluster.namespace, gracePeriodSeconds: 0 })
      }
  }
}
