import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import { ZipArchive } from 'archiver'
import { FormData, Pool } from 'undici'

const LINE = 'a line of the log of a job that was run\n'
const JSON_TYPE = { 'content-type': 'application/json' }

/**
 * `times`: of the requests that could be served at once, in milliseconds.
 * @typedef {{ jobs: number, milliseconds: number, times: number[] }} Load
 */

/** @typedef {{ id: number, artifacts_file?: object }} Dependency */
/**
 * @typedef {{ id: number, token: string, cache?: { key: string, policy: string }[] | null,
 *   artifacts?: { artifact_type?: string }[] | null, dependencies?: Dependency[] | null }} Job
 */

/**
 * `patches`: the bytes of each. `confirms`: whether it reports that it has the job.
 * @typedef {{ info: object, patches: number[], confirms: boolean }} Habits
 */

/** @type {Habits} */
const SHORT_HABITS = {
  // A job with reports fails at a runner without this.
  info: { name: 'bench', features: { upload_multiple_artifacts: true } },
  patches: [4200, 4200, 4200],
  confirms: false,
}

const REFUSED_FEATURES = ['shared', 'proxy']
const FEATURES = [
  ...['variables', 'image', 'services', 'artifacts', 'cache', 'shared', 'upload_multiple_artifacts'],
  ...['upload_raw_artifacts', 'session', 'terminal', 'refspecs', 'masking', 'proxy', 'raw_variables'],
  ...[
    'artifacts_exclude',
    'multi_build_steps',
    'trace_reset',
    'trace_checksum',
    'trace_size',
    'vault_secrets',
  ],
  ...['cancelable', 'return_exit_code', 'service_variables', 'fallback_cache_keys', 'cancel_gracefully'],
  ...['image_executor_opts', 'service_executor_opts', 'service_multiple_aliases', 'native_steps_integration'],
  ...['two_phase_job_commit', 'job_inputs'],
]

/**
 * What the reference runner sends (docs/reference/runner-protocol.md, 13): all it knows about itself with each request, and
 * what a job prints at its start, in its script and at its end.
 * @type {Habits}
 */
export const REFERENCE_HABITS = {
  info: {
    ...{ name: 'gitlab-runner', version: '19.3.0', revision: '0a1b2c3d', platform: 'linux' },
    ...{ architecture: 'amd64', executor: 'docker', shell: 'bash', config: { gpus: '' }, labels: {} },
    features: Object.fromEntries(FEATURES.map((name) => [name, !REFUSED_FEATURES.includes(name)])),
  },
  patches: [912, 2376, 19_328, 433],
  confirms: true,
}

/**
 * Runs jobs as a runner does that needs no time for their scripts: it restores caches, fetches what other jobs hand on,
 * sends parts of a log, uploads artifacts, saves caches, and reports success.
 * @param {{ urls: string[], tokens: string[], jobs: number }} lives coordinators, the runners of all of them, and how many
 *   jobs there are
 * @param {Habits} [habits]
 * @returns {Promise<Load>}
 */
export async function runJobs({ urls, tokens, jobs }, habits = SHORT_HABITS) {
  const pools = urls.map((url) => new Pool(url, { connections: Math.ceil(tokens.length / urls.length) }))
  const files = await makeFiles()
  /** @type {number[]} */
  const times = []
  // Ends the requests of the runners for which no job is left.
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  let taken = 0
  const start = performance.now()
  await Promise.all(
    tokens.map(async (token, index) => {
      const runner = new SimulatedRunner(/** @type {Pool} */ (pools[index % pools.length]), token, {
        times,
        files,
        habits,
      })
      while (taken < jobs) {
        const job = await runner.request(over.signal)
        if (!job) continue
        if (++taken === jobs) over.abort()
        await runner.run(job)
      }
    }),
  )
  const milliseconds = performance.now() - start
  await Promise.all(pools.map((pool) => pool.close()))
  return { jobs, milliseconds, times }
}

/** @typedef {{ archive: Blob, dotenv: Blob, cache: Buffer }} Files */

/** @returns {Promise<Files>} */
async function makeFiles() {
  const zip = new ZipArchive({ store: true })
  zip.append(randomBytes(4096), { name: 'output' })
  const [archive] = await Promise.all([buffer(zip), zip.finalize()])
  const dotenv = gzipSync('VERSION=1.2.3\nIMAGE=registry.example.com/app:1.2.3\n')
  return { archive: new Blob([archive]), dotenv: new Blob([dotenv]), cache: archive }
}

class SimulatedRunner {
  /**
   * @param {Pool} pool
   * @param {string} token
   * @param {{ times: number[], files: Files, habits: Habits }} parts
   */
  constructor(pool, token, { times, files, habits }) {
    this.pool = pool
    this.token = token
    this.times = times
    this.files = files
    this.habits = habits
    /** @type {string | undefined} */
    this.lastUpdate = undefined
  }

  /**
   * Undefined if there was no job, or `signal` has ended the request.
   * @param {AbortSignal} signal
   * @returns {Promise<Job | undefined>}
   */
  async request(signal) {
    const body = JSON.stringify({
      token: this.token,
      info: this.habits.info,
      last_update: this.lastUpdate,
    })
    const began = performance.now()
    try {
      const response = await this.pool.request({
        ...{ method: 'POST', path: '/api/v4/jobs/request', headers: JSON_TYPE, body, signal },
      })
      const text = await response.body.text()
      if (response.statusCode === 204) {
        const lastUpdate = response.headers['x-gitlab-last-update']
        if (lastUpdate !== undefined) this.lastUpdate = String(lastUpdate)
        return undefined
      }
      if (response.statusCode !== 201) throw new Error(`POST /jobs/request: ${response.statusCode} ${text}`)
      // A request that was held has waited for a job, not for the coordinator.
      if (response.headers['gitlab-ci-builds-polling'] === undefined)
        this.times.push(performance.now() - began)
      return /** @type {Job} */ (JSON.parse(text))
    } catch (error) {
      if (signal.aborted) return undefined
      throw error
    }
  }

  /** @param {Job} job */
  async run(job) {
    const path = `/api/v4/jobs/${job.id}`
    const headers = { 'job-token': job.token }
    if (this.habits.confirms) await this.update(job, { state: 'running', output: {} })
    for (const { key } of job.cache ?? [])
      await this.send('GET', `${path}/cache?key=${encodeURIComponent(key)}`, { headers }, [200, 404])
    for (const { id, artifacts_file } of job.dependencies ?? [])
      if (artifacts_file) await this.send('GET', `/api/v4/jobs/${id}/artifacts`, { headers }, [200])
    let sent = 0
    for (const bytes of this.habits.patches) {
      const range = `${sent}-${sent + bytes - 1}`
      const ofPatch = { ...headers, 'content-type': 'text/plain', 'content-range': range }
      const body = LINE.repeat(bytes / LINE.length + 1).slice(0, bytes)
      await this.send('PATCH', `${path}/trace`, { headers: ofPatch, body }, [202])
      sent += bytes
    }
    for (const { artifact_type: type = 'archive' } of job.artifacts ?? [])
      await this.upload(path, headers, type)
    for (const { key, policy } of job.cache ?? []) {
      const body = this.files.cache
      if (policy !== 'pull')
        await this.send('PUT', `${path}/cache?key=${encodeURIComponent(key)}`, { headers, body }, [201])
    }
    await this.update(job, { state: 'success', output: { bytesize: sent } })
  }

  /**
   * @param {Job} job
   * @param {object} update
   */
  async update({ id, token }, update) {
    const info = this.habits.confirms ? { info: this.habits.info } : {}
    const body = JSON.stringify({ ...info, token, ...update })
    await this.send('PUT', `/api/v4/jobs/${id}`, { headers: JSON_TYPE, body }, [200])
  }

  /**
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string} type
   */
  async upload(path, headers, type) {
    const form = new FormData()
    const isArchive = type === 'archive'
    form.append('artifact_type', type)
    form.append('artifact_format', isArchive ? 'zip' : 'gzip')
    form.append(
      'file',
      isArchive ? this.files.archive : this.files.dotenv,
      isArchive ? 'artifacts.zip' : 'a.gz',
    )
    await this.send('POST', `${path}/artifacts`, { headers, body: form }, [201])
  }

  /**
   * @param {'GET' | 'POST' | 'PATCH' | 'PUT'} method
   * @param {string} path
   * @param {{ headers: Record<string, string>, body?: string | Buffer | FormData }} content
   * @param {number[]} expected statuses
   */
  async send(method, path, { headers, body = '' }, expected) {
    const began = performance.now()
    const response = await this.pool.request({ method, path, headers, ...(body !== '' && { body }) })
    const text = await response.body.text()
    this.times.push(performance.now() - began)
    if (!expected.includes(response.statusCode))
      throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`)
  }
}

/**
 * Takes a steady number of jobs a second and runs them, however long the coordinator needs for them.
 * @param {{ url: string, token: string, perSecond: number }} runner
 * @param {AbortSignal} over
 * @returns {Promise<number[]>} how long each job request took, in milliseconds
 */
export async function runJobsSteadily({ url, token, perSecond }, over) {
  const pool = new Pool(url, { connections: perSecond * 2 })
  const parts = { times: [], files: await makeFiles(), habits: SHORT_HABITS }
  /** @type {number[]} */
  const times = []
  /** @type {Promise<void>[]} */
  const lives = []
  const live = async () => {
    const runner = new SimulatedRunner(pool, token, parts)
    const began = performance.now()
    const job = await runner.request(new AbortController().signal)
    times.push(performance.now() - began)
    if (!job) throw new Error('No job is left')
    await runner.run(job)
  }
  while (!over.aborted) {
    lives.push(live())
    await sleep(1000 / perSecond)
  }
  await Promise.all(lives)
  await pool.close()
  return times
}
