import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Pool } from 'undici'

import { onEachStore } from './each-store.mjs'
import { megabytes, processorMilliseconds, residentBytes } from './idle-runner.mjs'
import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { REGISTRATION_TOKEN } from './tokens.mjs'

/** That ask one coordinator for jobs. */
export const RUNNERS = 32
/** Jobs of one pipeline. */
const JOBS = 500
/** Pipelines that are run before the measured ones: programs are compiled while they run, and do so for seconds. */
export const WARM_UP = 4
const PATCHES = 3
/** After this a coordinator without work has returned what its start, or the last jobs, needed. */
const QUIET_MILLISECONDS = 30_000
const LINES = 'a line of the log of a job that was run\n'.repeat(105)

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {{ jobs: number, milliseconds: number, times: number[] }} Load */
/** @typedef {{ urls: string[], tokens: string[], jobs: number }} Lives coordinators, their runners, and the jobs to take */

/**
 * The whole life of trivial jobs, without what the runner does: 32 runners take the jobs of a pipeline of 500, send 4 KiB of
 * log three times, and report success. Against a program of one file on Fastify and SQLite with the same durable steps.
 * @returns {Promise<Figure[]>}
 */
export async function benchLifecycle() {
  // It deletes its files when it ends, after the others were measured: some file systems take long to create files
  // after many were deleted.
  const server = fork('test/bench/bare-lifecycle.mjs')
  try {
    return await compareWith(await measureBare(server))
  } finally {
    server.kill()
  }
}

/** @param {Awaited<ReturnType<typeof measureBare>>} bare */
function compareWith(bare) {
  return onEachStore(({ name, flags }) =>
    withCoordinator(flags, async (coordinator) => {
      await sleep(QUIET_MILLISECONDS)
      const idle = await residentBytes(coordinator.pid)
      await measure(coordinator, 'warm up', WARM_UP)
      const before = await processorMilliseconds(coordinator.pid)
      const ours = await measure(coordinator, 'measured', 4)
      const spent = (await processorMilliseconds(coordinator.pid)) - before
      const memory = await residentBytes(coordinator.pid)
      await sleep(QUIET_MILLISECONDS)
      const resting = await residentBytes(coordinator.pid)
      const rest = { baseline: 'bare Fastify and SQLite' }
      return [
        {
          name: `lives of jobs, ${name}`,
          ours: `${rate(ours).toFixed(0)}/s`,
          theirs: `${rate(bare).toFixed(0)}/s`,
          ratio: rate(ours) / rate(bare),
          target: name === 'SQLite' ? '0.5' : '150/s',
          ...rest,
        },
        {
          name: `the slowest of 100 requests among them, ${name}`,
          ours: `${slowest(ours).toFixed(0)} ms`,
          theirs: `${slowest(bare).toFixed(0)} ms`,
          ratio: slowest(ours) / slowest(bare),
          target: '50 ms',
          ...rest,
        },
        {
          name: `processor time of one, ${name}`,
          ours: `${(spent / ours.jobs).toFixed(1)} ms`,
          theirs: `${(bare.spent / bare.jobs).toFixed(1)} ms`,
          ratio: spent / ours.jobs / (bare.spent / bare.jobs),
          target: '3 ms',
          ...rest,
        },
        {
          name: `memory after ${ours.jobs + WARM_UP * JOBS} of them, ${name}`,
          ours: megabytes(memory),
          theirs: megabytes(bare.memory),
          ratio: memory / bare.memory,
          target: '250 MB',
          ...rest,
        },
        {
          name: `memory half a minute later, ${name}`,
          ours: megabytes(resting),
          theirs: megabytes(bare.memory),
          ratio: resting / bare.memory,
          target: '160 MB',
          baseline: 'the bare program after its load',
        },
        {
          name: `memory half a minute after the start, ${name}`,
          ours: megabytes(idle),
          theirs: megabytes(bare.idle),
          ratio: idle / bare.idle,
          target: '120 MB',
          baseline: 'the bare program after its start',
        },
      ]
    }),
  )
}

/** @param {import('node:child_process').ChildProcess} server */
async function measureBare(server) {
  const jobs = 4 * JOBS
  server.send({ jobs: jobs + WARM_UP * JOBS })
  const [port] = /** @type {[number]} */ (await once(server, 'message'))
  const url = `http://127.0.0.1:${port}`
  const pid = server.pid ?? 0
  const idle = await residentBytes(pid)
  const tokens = Array.from({ length: RUNNERS }, () => 'any')
  await runJobs({ urls: [url], tokens, jobs: WARM_UP * JOBS })
  const before = await processorMilliseconds(pid)
  const load = await runJobs({ urls: [url], tokens, jobs })
  const spent = (await processorMilliseconds(pid)) - before
  return { ...load, spent, memory: await residentBytes(pid), idle }
}

/**
 * @param {{ url: string, folder: string }} coordinator
 * @param {string} name
 * @param {number} pipelines
 */
async function measure({ url, folder }, name, pipelines) {
  return runJobs(
    await createLives(
      [url],
      folder,
      Array.from({ length: pipelines }, () => name),
    ),
  )
}

/**
 * A pipeline of 500 jobs for each name of a project, and runners for all of them.
 * @param {string[]} urls of coordinators, each of which gets as many runners
 * @param {string} folder
 * @param {string[]} names of projects
 * @param {number} runners
 * @returns {Promise<Lives>}
 */
export async function createLives(urls, folder, names, runners = RUNNERS) {
  const [url = ''] = urls
  /** @type {string[]} */
  const tokens = []
  for (let runner = 0; runner < runners; runner++) {
    const { token } = await call(`${url}/api/v4/runners`, { token: REGISTRATION_TOKEN, run_untagged: true })
    tokens.push(String(token))
  }
  /** @type {Map<string, Project>} */
  const projects = new Map()
  for (const name of names) {
    const project =
      projects.get(name) ?? (await Project.create(url, join(folder, name.replace(' ', '-')), CI_FILE))
    projects.set(name, project)
    await call(`${project.api}/pipeline`, { ref: 'main' })
  }
  return { urls, tokens, jobs: names.length * JOBS }
}

const CI_FILE = Array.from(
  { length: 10 },
  (_, index) => `job ${index}: {parallel: ${JOBS / 10}, script: "true"}\n`,
).join('')

/**
 * @param {Lives} lives
 * @returns {Promise<Load>}
 */
export async function runJobs({ urls, tokens, jobs }) {
  const pools = urls.map((url) => new Pool(url, { connections: Math.ceil(tokens.length / urls.length) }))
  /** @type {number[]} */
  const times = []
  let taken = 0
  const start = performance.now()
  await Promise.all(
    tokens.map(async (token, index) => {
      const pool = /** @type {Pool} */ (pools[index % pools.length])
      while (taken < jobs) {
        taken++
        await runJob(pool, token)
      }
    }),
  )
  const milliseconds = performance.now() - start
  await Promise.all(pools.map((pool) => pool.close()))
  return { jobs, milliseconds, times }

  /**
   * @param {Pool} pool
   * @param {string} token
   */
  async function runJob(pool, token) {
    const job = await send(
      pool,
      'POST',
      '/api/v4/jobs/request',
      { token, info: { name: 'bench', features: {} } },
      {},
      201,
    )
    const { id, token: jobToken } = /** @type {{ id: number, token: string }} */ (JSON.parse(job))
    for (let patch = 0; patch < PATCHES; patch++) {
      const from = patch * LINES.length
      await send(
        pool,
        'PATCH',
        `/api/v4/jobs/${id}/trace`,
        LINES,
        { 'job-token': jobToken, 'content-range': `${from}-${from + LINES.length - 1}` },
        202,
      )
    }
    await send(
      pool,
      'PUT',
      `/api/v4/jobs/${id}`,
      { token: jobToken, state: 'success', exit_code: 0 },
      {},
      200,
    )
  }

  /**
   * @param {Pool} pool
   * @param {'POST' | 'PATCH' | 'PUT'} method
   * @param {string} path
   * @param {string | object} body
   * @param {Record<string, string>} headers
   * @param {number} status
   */
  async function send(pool, method, path, body, headers, status) {
    const isText = typeof body === 'string'
    const began = performance.now()
    const response = await pool.request({
      method,
      path,
      headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...headers },
      body: isText ? body : JSON.stringify(body),
    })
    const text = await response.body.text()
    times.push(performance.now() - began)
    if (response.statusCode !== status) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return text
  }
}

/** @param {Load} load */
function rate({ jobs, milliseconds }) {
  return (jobs * 1000) / milliseconds
}

/** @param {Load} load */
function slowest({ times }) {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}
