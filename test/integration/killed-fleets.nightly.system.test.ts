import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { namesIn } from '../../src/lib/files.js'
import { randomFrom } from '../coordinator/ci/engine/support/random.js'
import { makeCertificates } from '../support/certificates.js'
import { onFinished } from '../support/lifetime.js'
import { type NetworkNamespace, openNetworkNamespace } from '../support/network-namespace.js'
import { canStartEngine, PrivateEngine } from '../support/private-engine.js'
import { startSshServer } from '../support/ssh-server.js'
import { expectAllOnce, type Kill, killUntilFinished, leftAt, printingJobs } from './support/killed-fleets.js'
import { System } from './support/system.js'

const JOBS = Number(process.env['SWITCHYARD_KILL_JOBS'] ?? 60)
const MAX_KILLS = 6
/** Milliseconds: from less than ssh takes to notice that a machine is silent, to more. */
const NETWORK_DOWN = { least: 1000, most: 25_000 }
/** A random one, or that of SWITCHYARD_TEST_SEEDS, to repeat a failure. */
const SEED = Number(process.env['SWITCHYARD_TEST_SEEDS']?.split(',')[0] ?? randomInt(2 ** 31))

const TRANSPORTS = ['tls', 'ssh', 'autoscaler'] as const
type Transport = (typeof TRANSPORTS)[number]

interface Fleet {
  kill: Record<Killed, Kill>
  /** What jobs left behind on the machines, and machines that were left behind. */
  left(): Promise<string[]>
}

type Killed = 'runner' | 'engine' | 'network' | 'machine'

/** What is killed, by how its machines are reached. A reason instead of a way says why there is no such test. */
const TABLE: Record<Killed, Record<Transport, true | string>> = {
  runner: { tls: true, ssh: true, autoscaler: true },
  engine: { tls: true, ssh: true, autoscaler: 'an engine of the plugin `docker` is its machine' },
  network: { tls: true, ssh: true, autoscaler: 'machines of the plugin `docker` are reached by a socket' },
  machine: {
    tls: 'a machine that is kept comes back: its engine was killed, or its network',
    ssh: 'the same as for TLS',
    autoscaler: true,
  },
}

const ROWS = Object.entries(TABLE).flatMap(([killed, ways]) =>
  TRANSPORTS.flatMap((way) => (ways[way] === true ? [{ killed: killed as Killed, way }] : [])),
)

describe.skipIf(!canStartEngine)(`${JOBS} jobs, seed ${SEED}`, () => {
  test.each(ROWS)('$killed killed again and again, machines by $way', async ({ killed, way }) => {
    const below = randomFrom(SEED)
    const system = await System.startInProcess()
    onFinished(() => system.stop())
    const fleet = await (way === 'autoscaler' ? openMachines(system) : openHosts(system, way))
    const project = await system.createProject()
    const pipeline = await project.pushCi(printingJobs(JOBS))
    const finished = project.finished(pipeline)
    const kills = await killUntilFinished(fleet.kill[killed], { most: MAX_KILLS, below, finished })
    const tally = await expectAllOnce(system, project, pipeline, JOBS)
    await expect.poll(() => fleet.left(), { interval: 500 }).toEqual([])
    await system.stopRunner('SIGQUIT')
    process.stdout.write(`${killed} × ${way}: ${JSON.stringify({ kills, ...tally })}\n`)
  })
})

/** Two machines: one at a socket, one behind a network. */
async function openHosts(system: System, way: 'tls' | 'ssh'): Promise<Fleet> {
  const network = await openNetworkNamespace()
  const { namespace, address } = network
  const hides = system.directory
  const folder = way === 'tls' ? await makeCertificates(address) : undefined
  const tls = folder === undefined ? {} : { tls: { address, folder } }
  const near = await PrivateEngine.start({ hides })
  const far = await PrivateEngine.start({ hides, namespace, ...tls })
  const engines = [near, far]
  for (const engine of engines) await engine.take(system.image)
  const hosts = [
    { name: 'near', host: near.host, concurrent: 3 },
    { name: 'far', concurrent: 3, ...(await reach(network, far, folder)) },
  ]
  await system.startRunner({
    concurrent: 6,
    flags: [
      ...['--executor', 'docker-hosts', '--docker-network-mode', 'none'],
      ...hosts.flatMap((host) => ['--docker-hosts', JSON.stringify(host)]),
    ],
  })
  return {
    kill: {
      runner: () => killRunner(system),
      engine: async (below) => {
        const engine = engines[below(2)] ?? near
        await engine.kill()
        await sleep(below(3000))
        await engine.start()
      },
      network: async (below) => {
        await network.set('down')
        await sleep(NETWORK_DOWN.least + below(NETWORK_DOWN.most - NETWORK_DOWN.least))
        await network.set('up')
      },
      machine: () => Promise.reject(new Error('The machines are kept')),
    },
    left: async () => (await Promise.all(engines.map(({ docker }) => leftAt(docker)))).flat(),
  }
}

async function reach(
  { namespace, address }: NetworkNamespace,
  engine: PrivateEngine,
  folder: string | undefined,
): Promise<object> {
  if (folder !== undefined) return { host: `tcp://${address}:2376`, tls_verify: true, tls_cert_path: folder }
  const ssh = await startSshServer({ dockerHost: engine.host, namespace, address })
  return { host: ssh.host, ssh_key_file: ssh.keyFile }
}

async function openMachines(system: System): Promise<Fleet> {
  const settings = {
    plugin: 'docker',
    plugin_config: { images: [system.image] },
    pool: 'ci',
    delete_instances_on_shutdown: true,
    max_instances: 3,
    capacity_per_instance: 2,
    max_use_count: 10,
    // A machine that is killed while it starts is replaced then.
    instance_ready_timeout: '1m',
    update_interval: '5s',
    update_interval_when_expecting: '200ms',
    policy: [{ idle_time: '1s' }],
  }
  await system.startRunner({
    concurrent: 6,
    flags: [
      ...['--executor', 'docker-autoscaler', '--autoscaler', JSON.stringify(settings)],
      ...['--docker-network-mode', 'none', '--docker-pull-policy', 'never'],
    ],
  })
  const folder = (...path: string[]) => join(system.directory, 'runner-data-0/autoscaler', ...path)
  return {
    kill: {
      runner: () => killRunner(system),
      engine: () => Promise.reject(new Error('An engine is a machine')),
      network: () => Promise.reject(new Error('There is none between')),
      machine: async (below) => {
        const names = await namesIn(folder('engines'))
        const name = names[below(Math.max(1, names.length))]
        if (name === undefined) return
        await killMachine(folder('engines', name, 'pid'))
      },
    },
    left: async () => [...(await namesIn(folder('engines'))), ...(await namesIn(folder('pools/ci')))],
  }
}

async function killRunner(system: System): Promise<void> {
  await system.stopRunner('SIGKILL')
  await system.restartRunner()
}

async function killMachine(pidFile: string): Promise<void> {
  try {
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL')
  } catch (error) {
    // The runner deletes machines too, and may not have started one that it has recorded.
    if (!['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
