import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import pg from 'pg'

import { processorMilliseconds } from './idle-runner.mjs'
import { startCoordinator, stop } from './installation.mjs'
import { createPipeline, registerInstanceRunners, RUNNERS, stages } from './pipeline-shapes.mjs'
import { startPostgres } from './postgres.mjs'
import { Project } from './project.mjs'
import { runJobs } from './simulated-runners.mjs'

/** Pipelines for each coordinator that are run before the measured ones. */
const WARM_UP = 4
const JOBS = 500
const CI_FILE = stages(1, JOBS)

const SAMPLE_MILLISECONDS = 5
/** Unit of the times in /proc/<pid>/stat. */
const TICK_MILLISECONDS = 10

/** @typedef {import('./main.mjs').Figure} Figure */
/** Milliseconds for each job: of processors, and of waiting for locks of PostgreSQL, over all its connections. */
/** @typedef {{ coordinators: number, postgres: number, locks: number }} Cost */

/**
 * What a job costs with two coordinators on one PostgreSQL, against one: each adds a process, but what both wait for, they do
 * one after the other. The load is one
 * pipeline of 500 jobs in one stage, and four in as many projects. Two
 * coordinators are measured with the runners of one, which halves what arrives together at each, and with twice as many.
 * @returns {Promise<Figure[]>}
 */
export async function benchSeveralCoordinators() {
  /** @type {Figure[]} */
  const figures = []
  for (const pipelines of [1, 4]) {
    const one = await measure(1, pipelines, RUNNERS)
    for (const runners of [RUNNERS, 2 * RUNNERS]) {
      const two = await measure(2, pipelines, runners)
      const load = `${pipelines === 1 ? 'one pipeline' : `${pipelines} pipelines`}, ${runners} runners`
      figures.push(
        figure(`processor time of two coordinators, ${load}`, two.coordinators, one.coordinators, '1.25'),
        figure(`processor time of PostgreSQL, ${load}`, two.postgres, one.postgres),
        figure(`wait for locks, ${load}`, two.locks, one.locks),
      )
    }
  }
  return figures
}

/**
 * @param {string} name
 * @param {number} two
 * @param {number} one
 * @param {string} [target]
 * @returns {Figure}
 */
function figure(name, two, one, target) {
  const [ours, theirs] = [two, one].map((cost) => `${cost.toFixed(1)} ms`)
  return {
    name,
    ours: ours ?? '',
    theirs: theirs ?? '',
    baseline: `one coordinator, ${RUNNERS} runners`,
    ratio: two / one,
    ...(target && { target }),
  }
}

/**
 * @param {number} count of coordinators
 * @param {number} pipelines
 * @param {number} runners of all coordinators
 * @returns {Promise<Cost>}
 */
async function measure(count, pipelines, runners) {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-coordinators-'))
  const log = createWriteStream(join(folder, 'log'))
  const postgres = await startPostgres()
  const coordinators = []
  try {
    for (let index = 0; index < count; index++)
      coordinators.push(await startCoordinator(folder, log, ['--database-url', postgres.url]))
    const urls = coordinators.map(({ url }) => url)
    // Each coordinator compiles its own code.
    const warmUp = Array.from({ length: count * WARM_UP }, () => 'warm-up')
    await runJobs(await createLives(urls, folder, warmUp))
    const names = Array.from({ length: pipelines }, (_, index) => `project-${index}`)
    const lives = await createLives(urls, folder, names, runners)
    const pids = coordinators.map(({ process }) => process.pid ?? 0)
    const before = await spent(pids, postgres.pid ?? 0)
    const locks = watchLocks(postgres.url)
    const { jobs } = await runJobs(lives)
    const waited = await locks.end()
    const after = await spent(pids, postgres.pid ?? 0)
    return {
      coordinators: (after.coordinators - before.coordinators) / jobs,
      postgres: (after.postgres - before.postgres) / jobs,
      locks: waited / jobs,
    }
  } finally {
    for (const { process } of coordinators) await stop(process, 'SIGTERM')
    await postgres.stop()
    log.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * A pipeline for each name of a project, and runners for all of them.
 * @param {string[]} urls of coordinators
 * @param {string} folder
 * @param {string[]} names
 * @param {number} runners
 */
async function createLives(urls, folder, names, runners = RUNNERS) {
  const [url = ''] = urls
  const tokens = await registerInstanceRunners(url, runners)
  /** @type {Map<string, Project>} */
  const projects = new Map()
  for (const name of names) {
    const project = projects.get(name) ?? (await Project.create(url, join(folder, name), CI_FILE))
    projects.set(name, project)
    await createPipeline(project)
  }
  return { urls, tokens, jobs: names.length * JOBS }
}

/**
 * @param {number[]} coordinators
 * @param {number} postgres
 */
async function spent(coordinators, postgres) {
  const times = await Promise.all(coordinators.map(processorMilliseconds))
  return { coordinators: times.reduce((sum, time) => sum + time, 0), postgres: await ofServer(postgres) }
}

/**
 * Of a server and its connections, those included that have ended.
 * @param {number} pid
 */
async function ofServer(pid) {
  let ticks = 0
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') // it has ended since
    // After the name, which may contain anything: state, parent, …, and from the 12th on, own and children's times.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, ofChildren, systemOfChildren] = fields.slice(11, 15).map(Number)
    if (fields[1] === String(pid)) ticks += (user ?? 0) + (system ?? 0)
    if (name === String(pid)) ticks += (ofChildren ?? 0) + (systemOfChildren ?? 0)
  }
  return ticks * TICK_MILLISECONDS
}

/**
 * Samples how many connections wait for a lock. `end` returns the milliseconds that they waited, all together.
 * @param {string} url
 */
function watchLocks(url) {
  let isOver = false
  const sampling = sample()
  return {
    end() {
      isOver = true
      return sampling
    },
  }

  async function sample() {
    const client = new pg.Client(url)
    await client.connect()
    let waited = 0
    let last = performance.now()
    while (!isOver) {
      await pause(SAMPLE_MILLISECONDS)
      /** @type {pg.QueryResult<{ pid: number }>} */
      const { rowCount } = await client.query({
        name: 'waiting',
        text: `select pid from pg_stat_activity where wait_event_type = 'Lock'`,
      })
      const now = performance.now()
      waited += (rowCount ?? 0) * (now - last)
      last = now
    }
    await client.end()
    return waited
  }
}
