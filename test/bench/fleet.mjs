import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { IMAGE } from './docker.mjs'
import { startEngine } from './fleet/engines.mjs'
import { startSshServer } from './fleet/ssh-server.mjs'
import { megabytes } from './idle-runner.mjs'
import { startInstallation } from './installation.mjs'
import { formatTime, median } from './table.mjs'

const run = promisify(execFile)

const TURNS = 15
const JOBS = 200
const WEIGHTS = [1, 2, 3, 4]
const AT_ONCE = 8
const MANY_HOSTS = 20
const MACHINES = 5
const POOL = 'bench'
/** sshd listens on 16 at most. */
const ADDRESSES = 10
const MEGABYTE = 1e6

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./installation.mjs').Installation} Installation */
/** @typedef {{ name: string, host: string, keyFile?: string, concurrent?: number, weight?: number }} Host */

/**
 * Several Docker hosts in one registration: what a job costs on another machine, how jobs spread, what many hosts need, and
 * how soon machines on demand are used.
 * @returns {Promise<Figure[]>}
 */
export async function benchFleet() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-fleet-'))
  const hidden = await mkdtemp(join(tmpdir(), 'switchyard-bench-'))
  const engines = []
  const before = process.env['TMPDIR']
  try {
    for (const [index] of WEIGHTS.entries())
      engines.push(await startEngine(join(folder, `engine-${index}`), hidden))
    const hosts = engines.map(({ host }) => host)
    // For the folders of the runners.
    process.env['TMPDIR'] = hidden
    return [
      await costOfSsh(folder, hosts[0] ?? ''),
      await spread(hosts),
      await memoryOfHosts(folder, hosts[0] ?? ''),
      await usedUpPool(),
    ]
  } finally {
    process.env['TMPDIR'] = before ?? '/tmp'
    for (const engine of engines) await engine.stop()
    for (const each of [folder, hidden]) await rm(each, { recursive: true, force: true })
  }
}

/**
 * A trivial job on a host over ssh, against one on the same engine over its socket.
 * @param {string} folder
 * @param {string} engine
 * @returns {Promise<Figure>}
 */
async function costOfSsh(folder, engine) {
  const server = await startSshServer(join(folder, 'ssh'), engine, ['127.0.0.1'])
  const { keyFile } = server
  try {
    const [far, near] = await Promise.all([
      startInstallation(withHosts([{ name: 'far', host: server.hosts[0] ?? '', keyFile }])),
      startInstallation(withHosts([{ name: 'near', host: engine }])),
    ])
    try {
      /** @type {number[]} */
      const times = []
      /** @type {number[]} */
      const others = []
      const [project, other] = await Promise.all([far, near].map((each) => each.createProject(TRIVIAL)))
      for (let turn = -1; turn < TURNS; turn++) {
        const [time, otherTime] = [await project?.timeJob(), await other?.timeJob()]
        // The first job finds the image and the kind of workspace.
        if (turn < 0) continue
        times.push(time ?? Number.NaN)
        others.push(otherTime ?? Number.NaN)
      }
      const [ours, theirs] = [median(times), median(others)]
      return {
        name: 'a trivial job on a host over ssh',
        ours: formatTime(ours),
        baseline: 'over its socket',
        theirs: formatTime(theirs),
        ratio: ours / theirs,
        target: 'at most 1.3',
      }
    } finally {
      await Promise.all([far.stop(), near.stop()])
    }
  } finally {
    await server.stop()
  }
}

/**
 * How far the jobs of the host furthest from its share are from it.
 * @param {string[]} engines
 * @returns {Promise<Figure>}
 */
async function spread(engines) {
  const hosts = engines.map((host, index) => ({
    name: `host-${index}`,
    host,
    weight: WEIGHTS[index] ?? 1,
    concurrent: AT_ONCE,
  }))
  // The hosts always have room. Without it, jobs go to the host that has some next.
  const installation = await startInstallation(withHosts(hosts, AT_ONCE))
  try {
    const project = await installation.createProject(`${TRIVIAL}  parallel: ${JOBS}\n`)
    const counts = await countByHost(project, hosts)
    const total = WEIGHTS.reduce((sum, weight) => sum + weight, 0)
    const errors = hosts.map(({ weight }, index) => {
      const share = (JOBS * weight) / total
      return Math.abs((counts[index] ?? 0) - share) / share
    })
    const worst = Math.max(...errors)
    return {
      name: `${JOBS} jobs over ${hosts.length} hosts, furthest from its share`,
      ours: `${(worst * 100).toFixed(1)} % (${counts.join(', ')})`,
      baseline: `weights ${WEIGHTS.join(', ')}`,
      theirs: '10 %',
      ratio: worst / 0.1,
      target: 'at most 10 %',
    }
  } finally {
    await installation.stop()
  }
}

/**
 * A runner with many hosts, all reached by ssh, and the programs of ssh that it runs.
 * @param {string} folder
 * @param {string} engine
 * @returns {Promise<Figure>}
 */
async function memoryOfHosts(folder, engine) {
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => `127.0.0.${index + 2}`)
  const server = await startSshServer(join(folder, 'many'), engine, addresses)
  try {
    const { keyFile } = server
    const hosts = Array.from({ length: MANY_HOSTS }, (_, index) => ({
      name: `host-${index}`,
      host: server.hosts[index % ADDRESSES] ?? '',
      keyFile,
    }))
    const installation = await startInstallation(withHosts(hosts))
    try {
      const project = await installation.createProject(`${TRIVIAL}  parallel: ${2 * MANY_HOSTS}\n`)
      await project.runPipeline()
      const bytes = await bytesOfRunner(installation.runnerPid)
      return {
        name: `a runner with ${MANY_HOSTS} hosts over ssh, memory`,
        ours: megabytes(bytes),
        baseline: 'the goal',
        theirs: '150 MB',
        ratio: bytes / (150 * MEGABYTE),
        target: 'at most 150 MB',
      }
    } finally {
      await installation.stop()
    }
  } finally {
    await server.stop()
  }
}

/**
 * The time from the moment at which the last machine of a pool is ready to the start of the last job, while as many jobs wait
 * as there are machines.
 * @returns {Promise<Figure>}
 */
async function usedUpPool() {
  const installation = await startInstallation(withMachines)
  try {
    const project = await installation.createProject(`${LONG}  parallel: ${MACHINES}\n`)
    const jobs = await project.runPipeline()
    const started = jobs.map(({ started_at }) => Date.parse(started_at ?? ''))
    const ready = await readyTimes(join(installation.folder, 'runner/data/autoscaler/pools', POOL))
    if (ready.length !== MACHINES) throw new Error(`${ready.length} machines are left of ${MACHINES}`)
    const created = jobs.map(({ created_at }) => Date.parse(created_at))
    const time = Math.max(...started) - Math.max(...ready, ...created)
    return {
      name: `a pool of ${MACHINES} machines, from its readiness to the start of job ${MACHINES}`,
      ours: formatTime(time),
      baseline: 'the goal',
      theirs: '1 s',
      ratio: time / 1000,
      target: 'at most 1 s',
    }
  } finally {
    await installation.stop()
  }
}

/**
 * When the machines of a pool became ready, in milliseconds since 1970.
 * @param {string} folder with a record of each machine
 * @returns {Promise<number[]>}
 */
async function readyTimes(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'))
  return Promise.all(
    files.map(async (file) => {
      /** @type {{ readyAt?: number }} */
      const { readyAt } = JSON.parse(await readFile(join(folder, file), 'utf8'))
      return readyAt ?? Number.NaN
    }),
  )
}

/**
 * Settings with machines on demand, which are all kept ready.
 * @param {string} settings
 */
function withMachines(settings) {
  const tables = [
    '[runners.autoscaler]',
    'plugin = "docker"',
    `pool = "${POOL}"`,
    `max_instances = ${MACHINES}`,
    'delete_instances_on_shutdown = true',
    '[runners.autoscaler.plugin_config]',
    `images = ["${IMAGE}"]`,
    '[[runners.autoscaler.policy]]',
    `idle_count = ${MACHINES}`,
    'idle_time = "10m"',
  ]
  return `${settings.replace('executor = "docker"', 'executor = "docker-autoscaler"')}\n${tables.join('\n')}\n`
}

/** It runs until all machines are ready, which is seconds after the first of them: no machine gets a second job. */
const LONG = 'long:\n  variables: {GIT_STRATEGY: none}\n  script: "sleep 30"\n'
const TRIVIAL = 'trivial:\n  variables: {GIT_STRATEGY: none}\n  script: "true"\n'

/**
 * Settings with these hosts, whose containers reach no network.
 * @param {Host[]} hosts
 * @param {number} [concurrent] of the runner; by default the sum of the hosts
 */
function withHosts(hosts, concurrent = roomOf(hosts)) {
  const tables = hosts.map(({ name, host, keyFile, concurrent = 1, weight = 1 }) =>
    [
      '[[runners.docker_hosts]]',
      `name = "${name}"`,
      `host = "${host}"`,
      ...(keyFile === undefined ? [] : [`ssh_key_file = "${keyFile}"`]),
      `concurrent = ${concurrent}`,
      `weight = ${weight}`,
      '',
    ].join('\n'),
  )
  return (/** @type {string} */ settings) =>
    settings
      .replace(/^concurrent = \d+/m, `concurrent = ${concurrent}`)
      .replace('executor = "docker"', 'executor = "docker-hosts"')
      .replace('[runners.docker]', '[runners.docker]\nnetwork_mode = "none"') + `\n${tables.join('\n')}`
}

/** @param {Host[]} hosts */
function roomOf(hosts) {
  return hosts.reduce((sum, { concurrent = 1 }) => sum + concurrent, 0)
}

/**
 * Runs a pipeline: numbers of jobs, by the host that the log of each names.
 * @param {import('./project.mjs').Project} project
 * @param {Host[]} hosts
 */
async function countByHost(project, hosts) {
  const counts = hosts.map(() => 0)
  for (const { id } of await project.runPipeline()) {
    const trace = await project.trace(id)
    const index = hosts.findIndex(({ name }) => trace.includes(`Using the host ${name}`))
    if (index === -1) throw new Error(`The log of job ${id} names no host`)
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

/**
 * Bytes of a runner and of all processes of ssh that it started, also of those that share connections and have left it.
 * What they share counts once.
 * @param {number} pid
 */
async function bytesOfRunner(pid) {
  const sockets = join(process.env['TMPDIR'] ?? '', 'switchyard-ssh-')
  const { stdout } = await run('pgrep', ['--full', sockets])
  const others = stdout.split('\n').filter(Boolean).map(Number)
  const bytes = await Promise.all([pid, ...others].map(bytesOfProcess))
  return bytes.reduce((sum, each) => sum + each, 0)
}

/**
 * @param {number} pid
 * @returns {Promise<number>} 0 for a process that has ended since
 */
async function bytesOfProcess(pid) {
  try {
    const memory = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1]) * 1024
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return 0
    throw error
  }
}
