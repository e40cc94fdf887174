import type { Logger } from '../../../../lib/logger.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { endExpiredLease } from '../../queue/lease.js'
import { type PresenceDeps, recordPresence } from '../../queue/presence.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { returnToQueue } from '../jobs/return-to-queue.js'
import { lockPipeline } from '../pipeline-store.js'

export interface ExpireLeasesDeps extends PresenceDeps {
  logger: Logger
  /** Called with each job, usually for `expireLease`. The lease may have been renewed since. */
  onExpired: (jobId: number) => Promise<unknown>
}

/** Maximum leases per run. */
const MAX_PER_TURN = 200

/**
 * Periodic task, every `presenceInterval`: reports every lease that expired although coordinators were
 * available to renew it. A lease whose handling fails is retried in the next run.
 */
export async function expireLeases(deps: ExpireLeasesDeps, now = Date.now()): Promise<void> {
  const { database, logger, onExpired } = deps
  // First, and in the same run: a coordinator that was suspended must detect this before it expires leases.
  await recordPresence(deps, now)
  for (const jobId of await findExpired(database, now)) {
    try {
      await onExpired(jobId)
    } catch (error) {
      logger.error({ err: error, job: jobId }, 'Failed to abort a job whose lease has expired')
    }
  }
}

async function findExpired(database: Database, now: number): Promise<number[]> {
  const rows = await database
    .selectFrom('lease')
    .select('job_id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(MAX_PER_TURN)
    .execute()
  return rows.map((row) => row.job_id)
}

/**
 * Handles a job whose lease has expired by `now` (architecture, decision 7). Requeues it if its runner never
 * made contact; otherwise it fails with `no_updates_running`. Does nothing if the lease was renewed in the
 * meantime.
 */
export async function expireLease(deps: EngineDeps, jobId: number, now = Date.now()): Promise<void> {
  const job = await findJob(deps.database, jobId)
  if (!job) return
  await inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const ended = await endExpiredLease(tx, jobId, now)
    const current = await findJob(tx, jobId)
    if (!ended || !current) return
    if (ended === 'uncontacted' && current.status !== 'canceling') await returnToQueue(deps, tx, current)
    else await endJob(deps, tx, current, { status: 'failed', failure_reason: silence(current.status) })
    await advancePipeline(deps, tx, job.pipeline_id)
  })
}

function silence(status: JobRow['status']): FailureReason {
  return status === 'canceling' ? 'no_updates_canceling' : 'no_updates_running'
}
