import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { startAgain } from '../advance/start-manual-job.js'
import { archivedTest } from '../archived-jobs.js'
import { isRollbackRefused } from '../deployments/is-rollback-refused.js'
import { gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { isRetryable } from '../job-status.js'
import { findJob } from '../job-store.js'
import { lockPipeline } from '../pipeline-store.js'
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
