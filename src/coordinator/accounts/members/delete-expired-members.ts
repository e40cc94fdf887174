import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { lockRows } from '../../database/lock-row.js'
import { deleteExpiredMemberRows, type MembershipRow } from '../../database/stores/member-store.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'

/** Memberships per transaction. */
const BATCH = 100

/**
 * Periodic task: deletes expired memberships and emits an event for each. They have had no effect since their
 * expiry (`isLive`). If several coordinators run at once, the one that deletes a membership emits its event.
 * Returns the number of deleted memberships.
 */
export async function deleteExpiredMembers(database: Database, now = Date.now()): Promise<number> {
  for (let removed = 0; ;) {
    const expired = await findExpired(database, now)
    if (expired.length > 0) removed += await inTransaction(database, (tx) => remove(tx, expired, now))
    if (expired.length < BATCH) return removed
  }
}

type Expired = Pick<MembershipRow, 'id' | 'user_id' | 'project_id' | 'group_id'>

function findExpired(database: Database, now: number): Promise<Expired[]> {
  return database
    .selectFrom('member')
    .select(['id', 'user_id', 'project_id', 'group_id'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(BATCH)
    .execute()
}

/** Returns the number of memberships that still existed and were not extended in the meantime. */
async function remove(tx: Transaction, expired: Expired[], now: number): Promise<number> {
  await lockOwners(tx, expired)
  const ids = expired.map(({ id }) => id)
  const removed = await deleteExpiredMemberRows(tx, ids, now)
  await emitMemberEvents(tx, 'expired', removed)
  return removed.length
}

/** Locks the owners before the rows that belong to them, as a deletion of an owner does. */
async function lockOwners(tx: Transaction, expired: Expired[]): Promise<void> {
  const among = (ids: (number | null)[]) => {
    const known = ids.filter((id) => id !== null)
    return known.length === 0 ? sql`1 = 0` : sql`id in (${sql.join(known)})`
  }
  await lockRows(tx, 'user', among(expired.map(({ user_id }) => user_id)))
  await lockRows(tx, 'namespace', among(expired.map(({ group_id }) => group_id)))
  await lockRows(tx, 'project', among(expired.map(({ project_id }) => project_id)))
}
