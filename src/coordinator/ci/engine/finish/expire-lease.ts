import { inTransaction } from '../../../database/transaction.js'
import { endExpiredLease } from '../../queue/lease.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { returnToQueue } from '../jobs/return-to-queue.js'
import { lockPipeline } from '../pipeline-store.js'

/**
 * Handles a job whose lease has expired by `now` (architecture, decision 7). Requeues it if its runner never
 * made contact; otherwise it fails with `runner_system_failure`. Does nothing if the lease was renewed in the
 * meantime.
 */
export async function loseJob(deps: EngineDeps, jobId: number, now = Date.now()): Promise<void> {
  const job = await findJob(deps.database, jobId)
  if (!job) return
  await inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const ended = await endExpiredLease(tx, jobId, now)
    const current = await findJob(tx, jobId)
    if (!ended || !current) return
    if (ended === 'uncontacted') await returnToQueue(deps, tx, current)
    else await endJob(deps, tx, current, { status: 'failed', failure_reason: 'runner_system_failure' })
    await advancePipeline(deps, tx, job.pipeline_id)
  })
}
