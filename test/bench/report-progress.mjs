import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { call, Project } from './project.mjs'
import { CONNECTIONS, requestsPerSecond } from './requests-per-second.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { REGISTRATION_TOKEN } from './tokens.mjs'

const CI_FILE = `job:\n  parallel: ${CONNECTIONS}\n  script: "true"\n`
/** As a runner sends it every few seconds of a job that prints something now and then. */
const LINES = 'a line of the trace of a job\n'.repeat(30)

/** @typedef {import('./main.mjs').Figure} Figure */
/** @typedef {import('./requests-per-second.mjs').Request} Request */
/** @typedef {{ id: number, token: string }} Job */

/**
 * What runners tell of their running jobs, each of several over a connection of its own: more lines of the trace, and that
 * the job goes on. Against bare Fastify routes that read the same bodies.
 * @returns {Promise<Figure[]>}
 */
export async function benchReportProgress() {
  return withCoordinator([], async ({ url, folder }) => {
    const jobs = await startJobs(url, folder)
    const bare = fork('test/bench/bare-route.mjs')
    try {
      bare.send({})
      const [port] = /** @type {[number]} */ (await once(bare, 'message'))
      const servers = { ours: url, theirs: `http://127.0.0.1:${port}` }
      return [
        await figure('parts of a trace', servers, () => tracePatches(jobs), 202),
        await figure('updates of a job', servers, () => jobUpdates(jobs), 200),
      ]
    } finally {
      bare.kill()
    }
  })
}

/**
 * @param {string} name
 * @param {{ ours: string, theirs: string }} servers
 * @param {() => (connection: number) => Request} requests from the beginning
 * @param {number} status
 * @returns {Promise<Figure>}
 */
async function figure(name, servers, requests, status) {
  const theirs = await requestsPerSecond(servers.theirs, requests(), status)
  const ours = await requestsPerSecond(servers.ours, requests(), status)
  return {
    name: `${name} over the API`,
    ours: `${Math.round(ours)}/s`,
    baseline: 'bare Fastify route',
    theirs: `${Math.round(theirs)}/s`,
    ratio: ours / theirs,
  }
}

/**
 * @param {string} url
 * @param {string} folder
 * @returns {Promise<Job[]>} as many running jobs as there are connections
 */
async function startJobs(url, folder) {
  const runner = await call(`${url}/api/v4/runners`, { token: REGISTRATION_TOKEN, run_untagged: true })
  const project = await Project.create(url, join(folder, 'progress'), CI_FILE)
  await call(`${project.api}/pipeline`, { ref: 'main' })
  const ask = () => call(`${url}/api/v4/jobs/request`, { token: runner.token, info: { name: 'bench' } })
  return Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const { id, token } = await ask()
      return { id: Number(id), token: String(token) }
    }),
  )
}

/**
 * @param {Job[]} jobs
 * @returns {(connection: number) => Request}
 */
function tracePatches(jobs) {
  const sizes = jobs.map(() => 0)
  return (connection) => {
    const { id, token } = jobOf(jobs, connection)
    const from = sizes[connection] ?? 0
    sizes[connection] = from + LINES.length
    const headers = {
      'job-token': token,
      'content-type': 'text/plain',
      'content-range': `${from}-${from + LINES.length - 1}`,
    }
    return { method: 'PATCH', path: `/api/v4/jobs/${id}/trace`, headers, body: LINES }
  }
}

/**
 * @param {Job[]} jobs
 * @returns {(connection: number) => Request}
 */
function jobUpdates(jobs) {
  return (connection) => {
    const { id, token } = jobOf(jobs, connection)
    const body = JSON.stringify({ token, state: 'running' })
    return {
      method: 'PUT',
      path: `/api/v4/jobs/${id}`,
      headers: { 'content-type': 'application/json' },
      body,
    }
  }
}

/**
 * @param {Job[]} jobs
 * @param {number} connection
 */
function jobOf(jobs, connection) {
  const job = jobs[connection]
  if (!job) throw new Error(`There is no job for connection ${connection}`)
  return job
}
