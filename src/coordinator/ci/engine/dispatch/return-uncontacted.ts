import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { endUncontactedLease } from '../../queue/lease.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { returnToQueue } from '../jobs/return-to-queue.js'
import { lockPipeline } from '../pipeline-store.js'

/** Which lease of a job is meant. It may have another one by now. */
interface MeantLease {
  /** Undefined: the lease of any runner. */
  runnerId?: number | undefined
  /** Receives the job as it is under the lock of its pipeline. */
  isOf: (job: JobRow) => boolean
}

/** Returns a job to the queue, unless its runner has made contact. Returns whether it did. */
export async function returnUncontacted(
  deps: EngineDeps,
  jobId: number,
  { runnerId, isOf }: MeantLease,
): Promise<boolean> {
  const job = await findJob(deps.database, jobId)
  if (!job) return false
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, jobId)
    if (!current || !isOf(current)) return false
    if (!(await endUncontactedLease(tx, jobId, { runnerId }))) return false
    await returnToQueue(deps, tx, current)
    await advancePipeline(deps, tx, current.pipeline_id)
    return true
  })
}
