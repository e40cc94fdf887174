import { HOUR } from '../../../../lib/time-units.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { areUpFor } from '../../queue/presence.js'
import { findUnmatchedJobs, findUntouchedJobs, type StuckJob } from '../../queue/waiting/stuck-jobs.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { lockPipeline } from '../pipeline-store.js'

/** How long a job may be pending while no online runner may take it, and while one may. */
const UNMATCHED_FOR = HOUR
const UNTOUCHED_FOR = 24 * HOUR

/**
 * Periodic task: fails jobs that no runner has taken for too long (CI language, 12.10), and records what they
 * waited for. Time without a coordinator does not count: runners must
 * have had an hour to request jobs.
 *
 * Other stuck jobs have other tasks: leases cover jobs that go silent while running or canceling,
 * `failOverdueJobs` jobs beyond their timeout, and `startDueJobs` delayed jobs that missed their time.
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
      deps.logger.error({ err: error, pipeline: pipelineId }, 'Failed to end jobs that waited for too long')
    }
  }
}

/** Each job once, with the first reason found. */
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
    // It may have been taken since, and may even be back in the queue.
    if (job?.status !== 'pending' || (job.queued_at ?? now) >= now - UNMATCHED_FOR) continue
    await endJob(deps, tx, job, {
      status: 'failed',
      failure_reason: pendingReason
        ? 'stuck_pending_no_matching_runners'
        : 'stuck_pending_with_matching_runners',
      ...(pendingReason && { waited_for: JSON.stringify(pendingReason) }),
    })
  }
  await advancePipeline(deps, tx, pipelineId)
}
