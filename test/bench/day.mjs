import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'

import { Pool } from 'undici'

import {
  ciFileOf,
  peakRate,
  planDay,
  planJob,
  randomNumbers,
  SECONDS_PER_DAY,
  SIZES_OF_DAY,
} from './day-plan.mjs'
import { onEachStore } from './each-store.mjs'
import { megabytes, processorMilliseconds, residentBytes } from './idle-runner.mjs'
import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from './tokens.mjs'

const run = promisify(execFile)

const JOBS = Number(process.env['SWITCHYARD_BENCH_DAY_JOBS'] ?? 100_000)
/** How long the day lasts; the coordinator may need longer than that. */
const MINUTES = Number(process.env['SWITCHYARD_BENCH_DAY_MINUTES'] ?? 12)
const STORES = (process.env['SWITCHYARD_BENCH_DAY_STORES'] ?? 'SQLite').split(',')
const RUNNERS = 200
/** Projects of each size of pipeline. */
const PROJECTS_PER_SIZE = 4
const PATCH_BYTES = 16_384
const PATCHES_AT_MOST = 6
const SAMPLE_MILLISECONDS = 2000
/** Clones after the day, to measure one. */
const FETCHES = 40
const SEED = 1

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {{ id: number, token: string, job_info: { stage: string } }} DispatchedJob */
/** @typedef {'patch' | 'update' | 'artifacts' | 'pipeline' | 'page'} Kind */

/**
 * A day of 100,000 jobs in less time: pipelines of different sizes are created by the curve of a working day, through
 * commits and over the API; 200 runners take their jobs, log, send artifacts, fail and retry; someone looks at each
 * pipeline. What the coordinator needs for it, per job.
 * @returns {Promise<Figure[]>}
 */
export function benchDay() {
  return onEachStore(async (store) => (STORES.includes(store.name) ? simulate(store) : []))
}

/**
 * @param {import('./each-store.mjs').Store} store
 * @returns {Promise<Figure[]>}
 */
async function simulate({ name, settings, flags, pid: server }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-bench-day-'))
  // The last flag of a name counts, and the store has its own folder on SQLite.
  const folder = settings.dialect === 'sqlite' ? join(settings.file, '..') : dataDir
  try {
    return await withCoordinator([...flags, '--data-dir', folder], async ({ url, pid, folder: work }) => {
      const day = new Day(url, SEED)
      await day.prepare(work)
      const processorBefore = await processorOf(pid, server)
      const before = await sizesOf(folder, settings)
      const result = await day.run(pid)
      const processor = await processorOf(pid, server)
      const spent = {
        coordinator: processor.coordinator - processorBefore.coordinator,
        git: processor.git - processorBefore.git,
        database: processor.database - processorBefore.database,
      }
      const memory = await residentBytes(pid)
      const after = await sizesOf(folder, settings)
      const fetch = await day.measureFetch(pid, join(work, 'clone'))
      return figuresOf(name, { ...result, spent, fetch, memory, before, after })
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

class Day {
  /**
   * @param {string} url
   * @param {number} seed
   */
  constructor(url, seed) {
    this.url = url
    this.random = randomNumbers(seed)
    this.pool = new Pool(url, { connections: RUNNERS + 64, bodyTimeout: 0, headersTimeout: 0 })
    this.ending = new AbortController()
    // Each waiting request listens to it.
    setMaxListeners(0, this.ending.signal)
    /** Of the day, per second of this run. */
    this.speed = SECONDS_PER_DAY / (MINUTES * 60)
  }

  /** @type {Record<Kind, number[]>} */
  times = { patch: [], update: [], artifacts: [], pipeline: [], page: [] }
  /** @type {Map<number, Project[]>} by the size of pipelines */
  projects = new Map()
  /** @type {string[]} */
  tokens = []
  /** @type {Set<number>} */
  taken = new Set()
  finished = 0
  logBytes = 0
  artifactBytes = 0
  commits = 0

  /** @param {string} work folder for working copies */
  async prepare(work) {
    for (const size of SIZES_OF_DAY) {
      const projects = []
      for (let project = 0; project < PROJECTS_PER_SIZE; project++) {
        const made = await Project.create(this.url, join(work, `jobs-${size}-${project}`), ciFileOf(size))
        projects.push(made)
      }
      this.projects.set(size, projects)
    }
    for (let runner = 0; runner < RUNNERS; runner++) {
      const body = { token: REGISTRATION_TOKEN, run_untagged: true }
      this.tokens.push(String((await call(`${this.url}/api/v4/runners`, body)).token))
    }
  }

  /** @param {number} pid of the coordinator */
  async run(pid) {
    const pipelines = planDay(JOBS, this.random)
    const jobs = pipelines.reduce((sum, pipeline) => sum + pipeline.jobs, 0)
    /** @type {(error: unknown) => void} */
    let fail = () => undefined
    // The first failure of anything that runs beside ends the day.
    const failure = new Promise((_, reject) => (fail = reject))
    const runners = this.tokens.map((token) => this.runRunner(token).catch(fail))
    const { memories, ages, sampling } = this.sample(pid)
    sampling.catch(fail)
    const start = performance.now()
    const times = await Promise.race([this.createAll(pipelines, start, fail), failure])
    this.ending.abort()
    await Promise.all(runners)
    await sampling
    await this.pool.close()
    const { created, milliseconds } = /** @type {{ created: number, milliseconds: number }} */ (times)
    return { jobs, pipelines: pipelines.length, milliseconds, created, day: this, memories, ages }
  }

  /**
   * Creates the pipelines when they are due, and waits until their jobs have ended. Milliseconds until both.
   * @param {import('./day-plan.mjs').PlannedPipeline[]} pipelines
   * @param {number} start
   * @param {(error: unknown) => void} fail
   */
  async createAll(pipelines, start, fail) {
    const creations = []
    for (const pipeline of pipelines) {
      const wait = (pipeline.seconds / this.speed) * 1000 - (performance.now() - start)
      if (wait > 0) await sleep(wait)
      creations.push(this.create(pipeline).catch(fail))
    }
    await Promise.all(creations)
    const created = performance.now() - start
    await this.untilIdle()
    return { created, milliseconds: performance.now() - start }
  }

  /** @param {import('./day-plan.mjs').PlannedPipeline} planned */
  async create({ jobs, isCommit }) {
    const project = choose(this.projects.get(jobs) ?? [], this.random)
    const began = performance.now()
    let path = `/api/v4/projects/${project.id}/pipeline`
    /** @type {object} */
    let body = { ref: 'main' }
    if (isCommit) {
      path = `/api/v4/projects/${project.id}/repository/commits`
      const branch = `change-${++this.commits}`
      const actions = [{ action: 'create', file_path: `${branch}.txt`, content: branch }]
      body = { branch, start_branch: 'main', commit_message: branch, actions }
    }
    await this.send('pipeline', { method: 'POST', path, body, headers: AS_ADMINISTRATOR, status: 201, began })
    // Who has caused it looks at the list of pipelines and at its jobs.
    const list = await this.read(`/api/v4/projects/${project.id}/pipelines?per_page=20`)
    const [latest] = /** @type {{ id: number }[]} */ (JSON.parse(list))
    if (latest) await this.read(`/api/v4/projects/${project.id}/pipelines/${latest.id}/jobs?per_page=100`)
  }

  /** @param {string} path */
  read(path) {
    return this.send('page', { method: 'GET', path, headers: AS_ADMINISTRATOR, status: 200 })
  }

  /** @param {string} token */
  async runRunner(token) {
    const body = { token, info: { name: 'bench', executor: 'docker', features: {} } }
    while (!this.ending.signal.aborted) {
      const reply = await this.pool
        .request({
          method: 'POST',
          path: '/api/v4/jobs/request',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: this.ending.signal,
        })
        .catch((/** @type {unknown} */ error) => {
          if (this.ending.signal.aborted) return undefined
          throw error
        })
      if (!reply) return
      const text = await reply.body.text()
      if (reply.statusCode === 204) continue
      if (reply.statusCode !== 201) throw new Error(`jobs/request: ${reply.statusCode} ${text}`)
      await this.runJob(/** @type {DispatchedJob} */ (JSON.parse(text)))
    }
  }

  /** @param {DispatchedJob} job */
  async runJob({ id, token, job_info: { stage } }) {
    if (this.taken.has(id)) throw new Error(`Job ${id} was dispatched twice`)
    this.taken.add(id)
    const { seconds, logBytes, artifactBytes, fails } = planJob(stage, this.random)
    const patches = Math.min(PATCHES_AT_MOST, Math.ceil(logBytes / PATCH_BYTES))
    const pause = ((seconds / this.speed) * 1000) / patches
    for (let patch = 0, sent = 0; patch < patches; patch++) {
      const end = Math.floor((logBytes * (patch + 1)) / patches)
      await this.send('patch', {
        method: 'PATCH',
        path: `/api/v4/jobs/${id}/trace`,
        body: logText(end - sent),
        headers: { 'job-token': token, 'content-range': `${sent}-${end - 1}`, 'content-type': 'text/plain' },
        status: 202,
      })
      sent = end
      await sleep(pause)
    }
    if (artifactBytes > 0) {
      const { body, type } = multipartZip(artifactBytes)
      await this.send('artifacts', {
        method: 'POST',
        path: `/api/v4/jobs/${id}/artifacts?artifact_type=archive&artifact_format=zip&expire_in=1+week`,
        body,
        headers: { 'job-token': token, 'content-type': type },
        status: 201,
      })
      this.artifactBytes += body.length
    }
    const outcome = fails ? { state: 'failed', failure_reason: 'script_failure', exit_code: 1 } : SUCCESS
    const body = { token, ...outcome }
    await this.send('update', { method: 'PUT', path: `/api/v4/jobs/${id}`, body, status: 200 })
    this.logBytes += logBytes
    this.finished++
  }

  /**
   * @param {Kind} kind
   * @param {{ method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: string | Buffer | object, headers?: Record<string, string>, status: number, began?: number }} what
   */
  async send(kind, { method, path, body, headers = {}, status, began = performance.now() }) {
    const isObject = typeof body === 'object' && !Buffer.isBuffer(body)
    const reply = await this.pool.request({
      method,
      path,
      headers: isObject ? { 'content-type': 'application/json', ...headers } : headers,
      body: isObject ? JSON.stringify(body) : body,
    })
    const text = await reply.body.text()
    this.times[kind].push(performance.now() - began)
    if (reply.statusCode !== status) throw new Error(`${method} ${path}: ${reply.statusCode} ${text}`)
    return text
  }

  /** Until no job is pending or running. */
  async untilIdle() {
    for (;;) {
      const { pending, running } = await this.metrics()
      if (pending === 0 && running === 0) return
      await sleep(SAMPLE_MILLISECONDS)
    }
  }

  /** @param {number} pid */
  sample(pid) {
    /** @type {number[]} */
    const memories = []
    /** @type {number[]} */
    const ages = []
    const run = async () => {
      while (!this.ending.signal.aborted) {
        memories.push(await residentBytes(pid))
        ages.push((await this.metrics()).age)
        await sleep(SAMPLE_MILLISECONDS)
      }
    }
    return { memories, ages, sampling: run() }
  }

  /**
   * Processor time in milliseconds of one shallow clone of a small repository, as each job of a runner begins with.
   * @param {number} pid
   * @param {string} folder
   */
  async measureFetch(pid, folder) {
    const { address } = choose(this.projects.get(SIZES_OF_DAY[0] ?? 0) ?? [], this.random)
    const before = await processorOf(pid, undefined)
    for (let fetch = 0; fetch < FETCHES; fetch++) {
      await run('git', ['clone', '--quiet', '--depth=20', '--no-tags', address, folder])
      await rm(folder, { recursive: true })
    }
    const after = await processorOf(pid, undefined)
    return {
      coordinator: (after.coordinator - before.coordinator) / FETCHES,
      git: (after.git - before.git) / FETCHES,
    }
  }

  async metrics() {
    const response = await fetch(`${this.url}/metrics`)
    const text = await response.text()
    /** @param {string} name */
    const value = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    return {
      pending: value('switchyard_queue_jobs'),
      running: value('switchyard_jobs_running'),
      age: value('switchyard_queue_oldest_age_seconds'),
    }
  }
}

const AS_ADMINISTRATOR = { 'private-token': ADMIN_TOKEN }
const SUCCESS = { state: 'success', exit_code: 0 }
const LINE = 'a line of the log of a job, as a compiler or a test runner prints it\n'
const NOISE = randomBytes(5e6)

/** @param {number} bytes */
function logText(bytes) {
  return LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes)
}

/**
 * A form with a zip archive of one stored file.
 * @param {number} bytes
 */
function multipartZip(bytes) {
  const boundary = 'switchyard-bench-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="artifacts.zip"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(head),
    zipOf('dist/bundle.js', NOISE.subarray(0, bytes)),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

/**
 * The parts of the format, in its order: the header of the file, the file, its entry in the directory, and the end.
 * @param {string} name
 * @param {Buffer} content
 */
function zipOf(name, content) {
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt32LE(crc32(content), 10)
  shared.writeUInt32LE(content.length, 14)
  shared.writeUInt32LE(content.length, 18)
  shared.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name)])
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
    shared,
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length + content.length, 16)
  return Buffer.concat([local, content, entry, end])
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {() => number} random
 * @returns {Item}
 */
function choose(items, random) {
  return /** @type {Item} */ (items[Math.floor(random() * items.length)])
}

/**
 * Processor time in milliseconds: of the coordinator, of the programs that it has started, and of PostgreSQL.
 * @param {number} pid
 * @param {number | undefined} server
 */
async function processorOf(pid, server) {
  return {
    coordinator: await processorMilliseconds(pid),
    git: await childrenMilliseconds(pid),
    database: server === undefined ? 0 : await childrenMilliseconds(server),
  }
}

/**
 * Processor time of the children of a process, and of those of them and of the process that have ended.
 * @param {number} parent
 */
async function childrenMilliseconds(parent) {
  let milliseconds = 0
  for (const pid of await readdir('/proc')) {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // After the name, which may contain spaces: the state, the parent, nine more, then the times: of the process itself in
    // user and kernel mode, then of its children that have ended.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (Number(fields[1]) === parent) milliseconds += ticks(fields.slice(11, 15))
    else if (Number(pid) === parent) milliseconds += ticks(fields.slice(13, 15))
  }
  return milliseconds
}

/** @param {string[]} times in hundredths of a second */
function ticks(times) {
  return times.reduce((sum, time) => sum + Number(time) * 10, 0)
}

/**
 * Bytes by what they are, of all that a coordinator stores.
 * @param {string} folder
 * @param {import('./each-store.mjs').Store['settings']} settings
 */
async function sizesOf(folder, settings) {
  return {
    logs: await folderBytes(join(folder, 'traces')),
    artifacts: await folderBytes(join(folder, 'blobs')),
    repositories: await folderBytes(join(folder, 'repositories')),
    database:
      settings.dialect === 'sqlite' ? await sqliteBytes(settings.file) : await postgresBytes(settings.url),
  }
}

/**
 * Bytes on the disk, with what the file system adds.
 * @param {string} folder
 */
async function folderBytes(folder) {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ blocks: 0 }))).blocks * 512
  return bytes
}

/** @param {string} file */
async function sqliteBytes(file) {
  const sizes = await Promise.all([file, `${file}-wal`].map((one) => stat(one).catch(() => ({ size: 0 }))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** @param {string} url */
async function postgresBytes(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  /** @type {import('pg').QueryResult<{ bytes: number }>} */
  const { rows } = await client.query('select pg_database_size(current_database())::float8 as bytes')
  await client.end()
  return rows[0]?.bytes ?? Number.NaN
}

/**
 * @param {string} store
 * @param {Awaited<ReturnType<Day['run']>> & { spent: Awaited<ReturnType<typeof processorOf>>, fetch: { coordinator: number, git: number }, memory: number, before: Sizes, after: Sizes }} result
 * @returns {Figure[]}
 */
function figuresOf(
  store,
  { day, jobs, pipelines, milliseconds, created, memories, ages, spent, fetch, memory, before, after },
) {
  const { finished, times } = day
  const baseline = `${finished} jobs of ${pipelines} pipelines, ${finished - jobs} of them retries`
  const perJob = (/** @type {number} */ value) => value / finished
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`
  /**
   * @param {string} what
   * @param {string} ours
   * @param {number} ratio
   * @param {string} [theirs]
   * @returns {Figure}
   */
  const figure = (what, ours, ratio, theirs = '') => ({
    name: `${what}, ${store}`,
    ours,
    theirs,
    ratio,
    baseline,
  })
  return [
    figure(
      'jobs a second over the day',
      rate(finished, milliseconds),
      finished / milliseconds,
      `the busiest hour asks for ${(peakRate(jobs) * day.speed).toFixed(0)}/s`,
    ),
    figure(
      'the day, and until its last job ended',
      seconds(milliseconds),
      milliseconds / created,
      seconds(created),
    ),
    ...Object.entries(spent)
      .filter(([, time]) => time > 0)
      .map(([part, time]) =>
        figure(
          `processor time of a job: ${part}`,
          `${perJob(time).toFixed(1)} ms`,
          time / milliseconds,
          'of one processor',
        ),
      ),
    figure(
      'processor time of a shallow clone: coordinator, git',
      `${fetch.coordinator.toFixed(1)} ms, ${fetch.git.toFixed(1)} ms`,
      1,
    ),
    ...Object.entries(times).map(([kind, all]) =>
      figure(
        `${kind}: p50, p99`,
        `${at(all, 0.5).toFixed(1)} ms, ${at(all, 0.99).toFixed(0)} ms`,
        perJob(all.length),
        'requests per job',
      ),
    ),
    figure(
      'age of the queue: p50, most',
      `${at(ages, 0.5).toFixed(1)} s, ${Math.max(...ages).toFixed(1)} s`,
      Math.max(...ages),
    ),
    figure('memory: most, at the end', `${megabytes(Math.max(...memories))}, ${megabytes(memory)}`, 1),
    ...Object.entries(after).map(([kind, bytes]) => {
      const grown = bytes - before[/** @type {keyof Sizes} */ (kind)]
      return figure(`${kind} on disk, per job`, kilobytes(perJob(grown)), 1, megabytes(grown))
    }),
    figure(
      'log text and artifacts sent, per job',
      `${kilobytes(perJob(day.logBytes))}, ${kilobytes(perJob(day.artifactBytes))}`,
      1,
    ),
  ]
}

/** @typedef {Awaited<ReturnType<typeof sizesOf>>} Sizes */

/**
 * @param {number} number
 * @param {number} milliseconds
 */
function rate(number, milliseconds) {
  return `${((number * 1000) / milliseconds).toFixed(0)}/s`
}

/** @param {number} milliseconds */
function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(0)} s`
}

/**
 * @param {number[]} values
 * @param {number} part
 */
function at(values, part) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}
