import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { megabytes, processorMilliseconds, residentBytes } from './idle-runner.mjs'
import { call, Project } from './project.mjs'
import { withCoordinator } from './separate-coordinator.mjs'
import { median } from './table.mjs'
import { ADMIN_TOKEN } from './tokens.mjs'
import { WaitingRunners } from './waiting-runner-pool.mjs'

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
    const runners = new WaitingRunners(url, RUNNERS, (runner) =>
      runner === 0 ? TAG : `nothing-${runner % 20}`,
    )
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
