import type { Database, DialectName } from '../../database/connect.js'
import { type Placeholder, preparedRead } from '../../database/prepared-read.js'
import type { Transaction } from '../../database/transaction.js'

/**
 * A job has a lease from the answer to the job request until it ends (architecture, decision 7):
 *
 *   dispatched ── first patch or update ──> contacted ── every further one ──> renewed
 *       │                                        │
 *       └─ silent for firstContactSeconds        └─ silent for seconds: the job has failed
 *          back to the queue: it had not started
 */
export interface LeaseSettings {
  /** Time from the answer to the first contact. */
  firstContactSeconds: number
  /** Time from one contact to the next. */
  seconds: number
}

/**
 * The fraction of a lease that must pass before it is renewed in the database, to avoid a write for every
 * trace patch.
 */
const RENEW_AFTER = 1 / 30

export interface LeaseHolder {
  jobId: number
  projectId: number
  runnerId: number
  isInstanceRunner: boolean
}

export async function startLeases(
  tx: Transaction,
  { firstContactSeconds }: LeaseSettings,
  holders: readonly LeaseHolder[],
  now: number,
): Promise<void> {
  const leases = holders.map((holder) => ({
    job_id: holder.jobId,
    project_id: holder.projectId,
    runner_id: holder.runnerId,
    instance_runner: holder.isInstanceRunner,
    expires_at: now + firstContactSeconds * 1000,
    heard_from: false,
  }))
  await tx.insertInto('lease').values(leases).execute()
}

/** Renews the lease after a call of the runner; false if the lease has ended. */
export async function renewLease(
  database: Database,
  { seconds }: LeaseSettings,
  jobId: number,
  now: number,
): Promise<boolean> {
  const full = now + seconds * 1000
  const [lease] = await leaseOfJob(database, { jobId })
  const isFresh = lease?.heard_from && lease.expires_at > full - seconds * 1000 * RENEW_AFTER
  if (!lease) return false
  if (isFresh) return true
  const { numUpdatedRows } = await database
    .updateTable('lease')
    .set({ expires_at: full, heard_from: true })
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const leaseOfJob = preparedRead(
  (database, { jobId }: { jobId: Placeholder<number> }) =>
    database.selectFrom('lease').select(['expires_at', 'heard_from']).where('job_id', '=', jobId),
  { planning: 'each time' },
)

export async function endLeases(tx: Transaction, jobIds: readonly number[]): Promise<void> {
  await tx.deleteFrom('lease').where('job_id', 'in', jobIds).execute()
}

/** Ends a lease only if its runner never made contact. Returns whether it ended. */
export async function endUncontactedLease(tx: Transaction, jobId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('lease')
    .where('job_id', '=', jobId)
    .where('heard_from', '=', false)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends a lease if it has expired by `now` and was not renewed. Returns which kind of lease it was. */
export async function endExpiredLease(
  tx: Transaction,
  jobId: number,
  now: number,
): Promise<'uncontacted' | 'contacted' | undefined> {
  const expired = tx.deleteFrom('lease').where('job_id', '=', jobId).where('expires_at', '<=', now)
  const uncontacted = await expired.where('heard_from', '=', false).executeTakeFirst()
  if (uncontacted.numDeletedRows === 1n) return 'uncontacted'
  const contacted = await expired.executeTakeFirst()
  return contacted.numDeletedRows === 1n ? 'contacted' : undefined
}

/**
 * Extends every lease to at least its full duration from now: while no coordinator ran (`presence.ts`),
 * runners could not renew. Skips leases that another coordinator is writing.
 */
export async function extendLeases(
  database: Database,
  dialect: DialectName,
  { firstContactSeconds, seconds }: LeaseSettings,
  now = Date.now(),
): Promise<void> {
  await extendTo(database, dialect, { heardFrom: false, full: now + firstContactSeconds * 1000 })
  await extendTo(database, dialect, { heardFrom: true, full: now + seconds * 1000 })
}

async function extendTo(
  database: Database,
  dialect: DialectName,
  { heardFrom, full }: { heardFrom: boolean; full: number },
): Promise<void> {
  await database
    .updateTable('lease')
    .set({ expires_at: full })
    .where('job_id', 'in', (query) =>
      query
        .selectFrom('lease')
        .select('job_id')
        .where('heard_from', '=', heardFrom)
        .where('expires_at', '<', full)
        .$if(dialect === 'postgres', (leases) => leases.forUpdate().skipLocked()),
    )
    .execute()
}
