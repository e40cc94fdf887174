import type { Logger } from '../../../../lib/logger.js'
import type { Database } from '../../../database/connect.js'
import { type PresenceDeps, recordPresence } from '../../queue/presence.js'

export interface ExpireLeasesDeps extends PresenceDeps {
  logger: Logger
  /** Decides about the job and ends its lease; the lease may have been renewed since. */
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
