import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { startManualJob } from '../advance/start-manual-job.js'
import { archivedTest } from '../archived-jobs.js'
import { isRollbackRefused } from '../deployments/is-rollback-refused.js'
import { type ClosedGate, gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { waitsForUser } from '../job-actions.js'
import { isRetryable } from '../job-status.js'
import { findJob } from '../job-store.js'
import { lockPipeline } from '../pipeline-store.js'
import { type JobParameters, setJobParameters } from './job-parameters.js'

/**
 * Starts a manual job, or a delayed one before its time, with the user's values. A job that has already run
 * is retried (CI language, 12.3). Throws `JobInputsError` for invalid input values.
 */
export async function playJob(
  deps: EngineDeps,
  job: JobRow,
  user: { id: number },
  given: JobParameters = {},
): Promise<JobRow | 'unplayable' | ClosedGate> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    if (!current || !isPlayable(current)) return 'unplayable'
    if ((await archivedTest(tx))(current)) return 'unplayable'
    if (await isRollbackRefused(tx, current)) return 'unplayable'
    const gate = await gateOf(deps, tx, current, user.id)
    // A retried job gets a new deployment, which is approved after it is created.
    if (gate === 'forbidden' || (gate === 'unapproved' && waitsForUser(current))) return gate
    const played = await startManualJob(deps, tx, current, user.id)
    await setJobParameters(deps, tx, played, given)
    await advancePipeline(deps, tx, job.pipeline_id)
    return (await findJob(tx, played.id)) ?? 'unplayable'
  })
}

function isPlayable(job: JobRow): boolean {
  return waitsForUser(job) || ((job.when === 'manual' || job.when === 'delayed') && isRetryable(job))
}
