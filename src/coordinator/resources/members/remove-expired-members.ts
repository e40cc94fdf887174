import type { Database, DialectName } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { announceMembers } from '../../events/outbox/announce-members.js'
import type { MembershipRow } from './store.js'

/** Memberships per transaction. */
const BATCH = 100

/**
 * Periodic duty: removes the memberships whose day has come, and tells of each that it has expired. They have counted for
 * nothing since that day (`isLive`); whoever removes one tells of it, and of several coordinators one does. Answers how many.
 */
export async function removeExpiredMembers(
  { database, dialect }: { database: Database; dialect: DialectName },
  now = Date.now(),
): Promise<number> {
  for (let removed = 0; ;) {
    const batch = await inTransaction(database, async (tx) => {
      const expired = await deleteExpired(tx, dialect, now)
      await announceMembers(tx, 'expired', expired)
      return expired.length
    })
    removed += batch
    if (batch < BATCH) return removed
  }
}

/** Those that another coordinator is at are left to it, and those that are prolonged right now to whoever does that. */
function deleteExpired(tx: Transaction, dialect: DialectName, now: number): Promise<MembershipRow[]> {
  return tx
    .deleteFrom('member')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('member')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(BATCH)
        .$if(dialect === 'postgres', (query) => query.forUpdate().skipLocked()),
    )
    .returningAll()
    .execute()
}
