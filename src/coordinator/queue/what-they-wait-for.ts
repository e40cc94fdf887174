import type { Database } from '../database/connect.js'
import { findPlace } from './find-place.js'
import { findKnownRunners } from './known-runners.js'
import { findQueuedJobs } from './store.js'
import { type KnownRunner, type Obstacle, standingOf } from './why-it-waits.js'

/** What a pending job waits for, as its record shows it. */
export type WaitingFor =
  | Obstacle
  /** Of runners that may take it: `busy` when each of them has a job. */
  | { reason: 'busy' | 'queued'; message: string; /** From 1. */ queue_position?: number }

/** By job, of those that are in the queue; the place in it for a job that is asked about alone, for it is counted. */
export async function whatTheyWaitFor(
  database: Database,
  jobIds: number[],
  now = Date.now(),
): Promise<Map<number, WaitingFor>> {
  const jobs = jobIds.length === 0 ? [] : await findQueuedJobs(database, jobIds)
  if (jobs.length === 0) return new Map()
  const projectIds = [...new Set(jobs.map(({ projectId }) => projectId))]
  const runners = await findKnownRunners(database, projectIds, now)
  const answers = new Map<number, WaitingFor>()
  for (const job of jobs) {
    const standing = standingOf(job, runners)
    if ('obstacle' in standing) answers.set(job.jobId, standing.obstacle)
    else {
      const place = jobIds.length === 1 ? await findPlace(database, job, standing.runners) : undefined
      answers.set(job.jobId, inQueue(standing.runners, place))
    }
  }
  return answers
}

function inQueue(runners: KnownRunner[], place: number | undefined): WaitingFor {
  const reason = runners.every(({ hasJob }) => hasJob) ? 'busy' : 'queued'
  const who = reason === 'busy' ? busy(runners.length) : free(runners.length)
  if (place === undefined) return { reason, message: `${who}.` }
  return { reason, message: `${who}; it is number ${place} in the queue.`, queue_position: place }
}

function busy(runners: number): string {
  return runners === 1
    ? 'The runner that may take it has another job'
    : `All ${runners} runners that may take it have other jobs`
}

function free(runners: number): string {
  return runners === 1
    ? 'The runner that may take it has not asked for it yet'
    : `None of the ${runners} runners that may take it has asked for it yet`
}
