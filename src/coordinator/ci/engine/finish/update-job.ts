import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { MissingCapability } from '../../../database/tables/job-columns.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { renewLease } from '../../queue/lease.js'
import { advanceAfterSuccess, advancePipeline } from '../advance/advance-pipeline.js'
import { addressAfter } from '../deployments/after-job.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob, setCoverage } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import type { JobEnd } from '../jobs/job-end.js'
import { lockPipeline } from '../pipeline-store.js'

/** The final result that a runner reports. */
export type JobResult = (
  | { status: 'success' }
  | {
      status: 'failed'
      reason: FailureReason
      exitCode?: number | undefined
      /** The capability that the job cannot run without. */
      missing?: MissingCapability
    }
) & {
  /** Coverage from the log. */
  coverage?: number | undefined
}

/** The ended job, or that its token is no longer valid. */
export type FinishResult = JobRow | 'not-running'

/**
 * Renews the lease of a job after contact with its runner, with at most one write every few seconds. False if
 * the job has ended.
 */
export async function recordContact(
  deps: Pick<EngineDeps, 'database' | 'lease'>,
  job: Pick<JobRow, 'id'>,
): Promise<boolean> {
  return renewLease(deps.database, deps.lease, job.id, Date.now())
}

/**
 * Ends a running job with the result from its runner; `job` is the row that was read to check the job token.
 */
export async function finishJob(deps: EngineDeps, job: JobRow, result: JobResult): Promise<FinishResult> {
  const address = result.status === 'success' ? await addressAfter(deps, job) : undefined
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    // The token has changed if the job was dispatched to another runner in between.
    if (!current?.token_digest || current.token_digest !== job.token_digest) return 'not-running'
    if (result.coverage !== undefined) await setCoverage(tx, job.id, result.coverage)
    const ended = await endJob(deps, tx, current, jobEnd(result), address)
    if (ended.status === 'success') await advanceAfterSuccess(deps, tx, ended)
    else await advancePipeline(deps, tx, job.pipeline_id)
    return ended
  })
}

function jobEnd(result: JobResult): JobEnd {
  if (result.status === 'success') return { status: 'success' }
  const { reason, exitCode, missing } = result
  return {
    status: 'failed',
    failure_reason: reason,
    exit_code: exitCode,
    ...(missing && { waited_for: JSON.stringify(missing) }),
  }
}
