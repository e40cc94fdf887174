import type { Database } from '../../../database/connect.js'
import type { PendingReason } from '../../../database/tables/job-columns.js'
import { mayTake } from '../match.js'
import { findQueuedJobs } from '../store.js'
import type { QueuedJob } from '../waiting-request.js'
import { findPositions } from './find-positions.js'
import { findPendingReason } from './pending-reason.js'
import { countOnlineRunnersByKind, findRecentKinds, type OnlineRunners } from './runner-kinds.js'

/** The pending reason of a job, as its record shows it. */
export type WaitingFor =
  | PendingReason
  /** Waits for a runner that may take it; `busy` if each of them has a job. */
  | { reason: 'busy' | 'queued'; message: string; /** From 1. */ queue_position?: number }

/**
 * The pending reasons of those jobs that are queued, by job. The position is expensive: by default, it is computed only
 * for a single job.
 */
export async function findPendingReasons(
  database: Database,
  jobIds: number[],
  { withPosition = jobIds.length === 1 }: { withPosition?: boolean } = {},
): Promise<Map<number, WaitingFor>> {
  const now = Date.now()
  const jobs = jobIds.length === 0 ? [] : await findQueuedJobs(database, jobIds)
  if (jobs.length === 0) return new Map()
  const kinds = await findRecentKinds(database, projectsOf(jobs), now)
  const pendingReasons = new Map(jobs.map((job) => [job.jobId, findPendingReason(job, kinds)]))
  const waiting = jobs.filter(({ jobId }) => !pendingReasons.get(jobId))
  const online =
    waiting.length === 0 ? [] : await countOnlineRunnersByKind(database, projectsOf(waiting), now)
  const takeable = waiting.map((job) => ({
    job,
    kinds: online.filter(({ profile }) => mayTake(profile, job)),
  }))
  const positions =
    withPosition && takeable.length > 0 ? await findPositions(database, takeable, now) : undefined
  const responses = new Map<number, WaitingFor>()
  for (const [jobId, reason] of pendingReasons) if (reason) responses.set(jobId, reason)
  for (const { job, kinds: runners } of takeable)
    responses.set(job.jobId, inQueue(runners, positions?.get(job.jobId)))
  return responses
}

function projectsOf(jobs: QueuedJob[]): number[] {
  return [...new Set(jobs.map(({ projectId }) => projectId))]
}

function inQueue(kinds: OnlineRunners[], position: number | undefined): WaitingFor {
  const runners = kinds.reduce((sum, kind) => sum + kind.runners, 0)
  const reason = kinds.every((kind) => kind.withJobs === kind.runners) ? 'busy' : 'queued'
  const who = reason === 'busy' ? busy(runners) : free(runners)
  if (position === undefined) return { reason, message: `${who}.` }
  return { reason, message: `${who}; the job is number ${position} in the queue.`, queue_position: position }
}

function busy(runners: number): string {
  return runners === 1 ? 'The only suitable runner is busy' : `All ${runners} suitable runners are busy`
}

function free(runners: number): string {
  return runners === 1
    ? 'The only suitable runner has not requested the job yet'
    : `None of the ${runners} suitable runners has requested the job yet`
}
