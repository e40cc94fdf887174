import type { JobStatus } from '../../../database/tables/job-columns.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJobs } from '../job-status-store.js'
import { findStartDelays } from './schedule-store.js'

/** Starts the delay of delayed jobs that are ready (CI language, 11.4). */
export async function scheduleJobs(
  deps: Pick<EngineDeps, 'notifications'>,
  tx: Transaction,
  ids: number[],
  from: JobStatus,
): Promise<void> {
  const now = Date.now()
  for (const [seconds, alike] of await findStartDelays(tx, ids)) {
    const at = now + seconds * 1000
    const moved = await moveJobs(tx, alike, from, { status: 'scheduled', scheduled_at: at })
    if (moved !== alike.length) throw new UnexpectedStatusError(alike, from)
    afterCommit(tx, () => deps.notifications.emit('jobScheduled', at))
  }
}
