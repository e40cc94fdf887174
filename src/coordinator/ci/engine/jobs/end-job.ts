import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { recordSuccess } from '../deployments/after-job.js'
import { isRollbackRefused } from '../deployments/is-rollback-refused.js'
import type { EngineDeps } from '../engine-deps.js'
import { countEarlierAttempts } from '../job-store.js'
import { findPipeline } from '../pipeline-store.js'
import { isRetriedAutomatically } from './automatic-retry.js'
import { cancelRemainingJobs } from './cancel-remaining-jobs.js'
import { closeJob } from './close-job.js'
import type { JobEnd } from './job-end.js'
import { startAttempt } from './start-attempt.js'

/**
 * Ends a job that was read under the pipeline lock, and applies the consequences. A failure may cause a retry
 * (CI language, 12.2) or cancel the whole pipeline (CI language, 12.7). A success updates the environment,
 * whose URL becomes `address` (CI language, 15.2). Returns the ended job. The caller then advances the pipeline.
 */
export async function endJob(
  deps: EngineDeps,
  tx: Transaction,
  job: JobRow,
  wanted: JobEnd,
  address?: string,
): Promise<JobRow> {
  const closed = await closeJob(deps, tx, job, wanted)
  if (closed.status === 'success') await recordSuccess(deps, tx, closed, address)
  if (closed.status !== 'failed') return closed
  if (await isToBeRetried(tx, closed)) await startAttempt(deps, tx, closed, closed.user_id)
  else if (!closed.allow_failure) await cancelRemaining(deps, tx, closed.pipeline_id)
  return closed
}

async function isToBeRetried(tx: Transaction, job: JobRow): Promise<boolean> {
  const isWanted = isRetriedAutomatically(job.options, {
    reason: job.failure_reason ?? 'unknown_failure',
    exitCode: job.exit_code ?? undefined,
    earlierAttempts: await countEarlierAttempts(tx, job),
  })
  return isWanted && !(await isRollbackRefused(tx, job))
}

async function cancelRemaining(deps: EngineDeps, tx: Transaction, pipelineId: number): Promise<void> {
  const { on_job_failure } = await findPipeline(tx, pipelineId)
  if (on_job_failure === 'all') await cancelRemainingJobs(deps, tx, pipelineId)
}
