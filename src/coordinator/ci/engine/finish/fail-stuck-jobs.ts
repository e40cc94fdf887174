import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { areUpFor } from '../../queue/presence.js'
import { findUnmatchedJobs, findUntouchedJobs, type StuckJob } from '../../queue/waiting/stuck-jobs.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { lockPipeline } from '../pipeline-store.js'

const HOUR = 3600 * 1000
/** How long a job may be pending while no runner that is online may take it, and while one may. */
const UNMATCHED_FOR = HOUR
const UNTOUCHED_FOR = 24 * HOUR

/**
 * Periodic task: fails jobs that no runner has taken for too long with `stuck_or_timeout_failure` (CI language, 12.10),
 * and keeps what they waited for.
 * Runners must have had an hour in which they could ask: time without a coordinator does not count against a job. What
 * stops while it runs or is canceled is found by its lease, what runs too long by its timeout (`failOverdueJobs`), and
 * what missed its time by the timer of delayed jobs (`startDueJobs`).
 */
export async function failStuckJobs(deps: EngineDeps, now = Date.now()): Promise<void> {
  if (!(await areUpFor(deps, UNMATCHED_FOR, now))) return
  const stuck = [
    ...(await findUnmatchedJobs(deps.database, now - UNMATCHED_FOR, now)),
    ...(await findUntouchedJobs(deps.database, now - UNTOUCHED_FOR)),
  ]
  for (const [pipelineId, jobs] of byPipeline(stuck)) {
    try {
      await inTransaction(deps.database, (tx) => failPending(deps, tx, pipelineId, jobs, now))
    } catch (error) {
      deps.logger.error(
        { err: error, pipeline: pipelineId },
        'Jobs that wait for too long could not be ended',
      )
    }
  }
}

/** Each job once, as it was found first. */
function byPipeline(jobs: StuckJob[]): Map<number, Map<number, StuckJob>> {
  const pipelines = new Map<number, Map<number, StuckJob>>()
  for (const job of jobs) {
    const known = pipelines.get(job.pipelineId) ?? new Map<number, StuckJob>()
    if (!known.has(job.jobId)) known.set(job.jobId, job)
    pipelines.set(job.pipelineId, known)
  }
  return pipelines
}

async function failPending(
  deps: EngineDeps,
  tx: Transaction,
  pipelineId: number,
  jobs: ReadonlyMap<number, StuckJob>,
  now: number,
): Promise<void> {
  await lockPipeline(tx, deps.dialect, pipelineId)
  for (const [jobId, { pendingReason }] of jobs) {
    const job = await findJob(tx, jobId)
    // It may have been taken, and even have come back to the queue, since it was found.
    if (job?.status !== 'pending' || (job.queued_at ?? now) >= now - UNMATCHED_FOR) continue
    await endJob(deps, tx, job, {
      status: 'failed',
      failure_reason: 'stuck_or_timeout_failure',
      ...(pendingReason && { waited_for: JSON.stringify(pendingReason) }),
    })
  }
  await advancePipeline(deps, tx, pipelineId)
}
