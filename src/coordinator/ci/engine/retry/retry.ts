import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { resetSkipped } from '../advance/reset-skipped.js'
import { startAgain } from '../advance/start-manual-job.js'
import { archivedTest } from '../archived-jobs.js'
import { isRollbackRefused } from '../deployments/is-rollback-refused.js'
import { gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { isRetryable } from '../job-status.js'
import { findJob, findLatestJobs } from '../job-store.js'
import { cloneJob } from '../jobs/clone-job.js'
import { findPipeline, lockPipeline } from '../pipeline-store.js'
import { type JobParameters, setJobParameters } from './job-parameters.js'

/**
 * Retries an ended job as a new job, with the user's values if any (CI language, 12.1). Throws
 * `JobInputsError` for invalid input values.
 */
export async function retryJob(
  deps: EngineDeps,
  job: JobRow,
  user: { id: number },
  given: JobParameters = {},
): Promise<JobRow | 'not-retryable' | 'forbidden'> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    if (!current || !isRetryable(current)) return 'not-retryable'
    if ((await archivedTest(tx))(current)) return 'not-retryable'
    if (await isRollbackRefused(tx, current)) return 'not-retryable'
    if ((await gateOf(deps, tx, current, user.id)) === 'forbidden') return 'forbidden'
    const attempt = await startAgain(deps, tx, current, user.id)
    await setJobParameters(deps, tx, attempt, given)
    await advancePipeline(deps, tx, job.pipeline_id)
    return (await findJob(tx, attempt.id)) ?? 'not-retryable'
  })
}

/**
 * Retries the failed and canceled jobs, and re-evaluates the skipped ones. Leaves out archived jobs, and jobs that would
 * deploy older code over newer, or deploy to a protected environment where the user is no deployer. Returns the updated
 * pipeline.
 */
export async function retryPipeline(
  deps: EngineDeps,
  pipeline: PipelineRow,
  user: { id: number },
): Promise<PipelineRow> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    const isArchived = await archivedTest(tx)
    const ended = await findLatestJobs(tx, pipeline.id, ['failed', 'canceled'])
    for (const job of ended.filter(isRetryable)) {
      if (isArchived(job)) continue
      if (await isRollbackRefused(tx, job)) continue
      if ((await gateOf(deps, tx, job, user.id)) !== 'forbidden') await cloneJob(tx, job, user.id)
    }
    const skipped = await findLatestJobs(tx, pipeline.id, ['skipped'])
    await resetSkipped(
      tx,
      skipped.filter((job) => !isArchived(job)).map((job) => job.id),
      user.id,
    )
    await advancePipeline(deps, tx, pipeline.id)
    return findPipeline(tx, pipeline.id)
  })
}
