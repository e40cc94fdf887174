import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Agent } from 'undici'

import { megabytes, processorMilliseconds, residentBytes } from './idle-runner.mjs'
import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { median } from './table.mjs'
import { ADMIN_TOKEN, REGISTRATION_TOKEN } from './tokens.mjs'

const RUNNERS = Number(process.env.BENCH_WAITING_RUNNERS ?? 1000)
const TAG = 'wanted'
const WATCHED_MILLISECONDS = 10_000
/** Longer than a coordinator holds a request that was sent before. */
const SETTLE_MILLISECONDS = 3000
const TURNS = 21

/** @typedef {import('./main.mjs').Figure} Figure */

/**
 * A coordinator with 1,000 runners, or as many as `BENCH_WAITING_RUNNERS` says, whose requests it holds: what they cost
 * while nothing happens, and how long a job that becomes pending takes to reach the one of them that may have it.
 * @returns {Promise<Figure[]>}
 */
export async function benchWaitingRunners() {
  return withCoordinator([], async ({ url, pid, folder }) => {
    const before = await residentBytes(pid)
    const runners = new WaitingRunners(url)
    try {
      await runners.start()
      await sleep(SETTLE_MILLISECONDS)
      const memory = await residentBytes(pid)
      const spent = await processorTime(pid)
      const latency = await startLatency(await Project.create(url, join(folder, 'project'), CI_FILE), runners)
      return [
        {
          name: `${RUNNERS} waiting runners, memory`,
          ours: megabytes(memory),
          baseline: 'the coordinator without them',
          theirs: megabytes(before),
          ratio: memory / before,
          target: RUNNERS === 10_000 ? '400 MB' : '300 MB',
        },
        {
          name: `${RUNNERS} waiting runners, processor`,
          ours: `${spent.toFixed(1)} ms in ${WATCHED_MILLISECONDS / 1000} s`,
          baseline: 'one busy processor',
          theirs: `${WATCHED_MILLISECONDS} ms`,
          ratio: spent / WATCHED_MILLISECONDS,
        },
        {
          name: 'a job played, until a waiting runner has it',
          ours: `${latency.ours.toFixed(1)} ms`,
          baseline: 'the response to playing it',
          theirs: `${latency.theirs.toFixed(1)} ms`,
          ratio: latency.ours / latency.theirs,
          target: 'within 50 ms',
        },
      ]
    } finally {
      await runners.stop()
    }
  })
}

const CI_FILE = `played: {script: "true", when: manual, tags: [${TAG}]}\n`

/** @param {number} pid */
async function processorTime(pid) {
  const before = await processorMilliseconds(pid)
  await sleep(WATCHED_MILLISECONDS)
  return (await processorMilliseconds(pid)) - before
}

/**
 * @param {Project} project
 * @param {WaitingRunners} runners
 */
async function startLatency(project, runners) {
  /** @type {number[]} */
  const ours = []
  /** @type {number[]} */
  const theirs = []
  for (let turn = 0; turn < TURNS; turn++) {
    const pipeline = await call(`${project.api}/pipeline`, { ref: 'main' })
    const jobs = await fetch(`${project.api}/pipelines/${String(pipeline.id)}/jobs`, {
      headers: { 'private-token': ADMIN_TOKEN },
    })
    const [job] = /** @type {{ id: number }[]} */ (await jobs.json())
    if (!job) throw new Error('The pipeline has no job')
    const taken = runners.nextJob()
    const start = performance.now()
    await call(`${project.api}/jobs/${job.id}/play`, {})
    theirs.push(performance.now() - start)
    ours.push((await taken) - start)
  }
  return { ours: median(ours), theirs: median(theirs) }
}

/** Runners that do nothing but ask; one of them has the tag. */
class WaitingRunners {
  /** @param {string} url */
  constructor(url) {
    this.url = url
    this.dispatcher = new Agent({ connections: null, headersTimeout: 0 })
    this.stopping = new AbortController()
    setMaxListeners(RUNNERS, this.stopping.signal)
    /** @type {Promise<void>[]} */
    this.loops = []
    /** @type {((at: number) => void) | undefined} */
    this.onJob = undefined
  }

  /** When it returns, the requests of all are held. */
  async start() {
    for (let runner = 0; runner < RUNNERS; runner++) {
      const tag_list = runner === 0 ? TAG : `nothing-${runner % 20}`
      const { token } = await call(`${this.url}/api/v4/runners`, {
        token: REGISTRATION_TOKEN,
        tag_list,
        run_untagged: false,
      })
      const lastUpdate = await this.lastUpdate(String(token))
      this.loops.push(this.keepAsking(String(token), lastUpdate))
    }
  }

  /** @returns {Promise<number>} milliseconds on the clock of `performance` when the next job arrives */
  nextJob() {
    return new Promise((resolve) => {
      this.onJob = resolve
    })
  }

  async stop() {
    this.stopping.abort()
    await Promise.all(this.loops)
    await this.dispatcher.close()
  }

  /** @param {string} token */
  async lastUpdate(token) {
    const reply = await this.ask({ token })
    await reply.body.dump()
    return String(reply.headers['x-gitlab-last-update'])
  }

  /**
   * @param {string} token
   * @param {string} last_update
   */
  async keepAsking(token, last_update) {
    for (;;) {
      try {
        const reply = await this.ask({ token, last_update })
        const arrived = performance.now()
        if (reply.statusCode !== 201) {
          await reply.body.dump()
          continue
        }
        await this.finish(/** @type {{ id: number, token: string }} */ (await reply.body.json()))
        this.onJob?.(arrived)
      } catch (error) {
        if (this.stopping.signal.aborted) return
        throw error
      }
    }
  }

  /** @param {object} body */
  ask(body) {
    return this.dispatcher.request({
      origin: this.url,
      method: 'POST',
      path: '/api/v4/jobs/request',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, info: { name: 'bench', features: {} } }),
      signal: this.stopping.signal,
    })
  }

  /** @param {{ id: number, token: string }} job */
  async finish({ id, token }) {
    const response = await fetch(`${this.url}/api/v4/jobs/${id}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, state: 'success' }),
    })
    if (!response.ok) throw new Error(`PUT job ${id}: ${response.status}`)
  }
}
