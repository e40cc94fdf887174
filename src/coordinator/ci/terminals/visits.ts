import { SECOND } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import type { AuditDetails, AuditEvent } from '../../database/tables/audit-events.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { findLost, findVisit, markLeft, type Visit } from './store.js'

/** Stores an event of the audit trail. */
export type StoreAuditEvent = (database: Database, event: AuditEvent, createdAt?: number) => Promise<void>

/**
 * Records in the audit trail that a person is in a shell. What passes through the shell, its command and its ticket are in
 * no event.
 */
export async function recordEntered(tx: Transaction, store: StoreAuditEvent, key: string): Promise<void> {
  const visit = await findVisit(tx, key)
  if (visit) await store(tx, eventOf(visit, { add: 'shell', custom_message: 'Opened a shell in a job' }))
}

/** Records that the person has left the shell, once. */
export async function recordLeft(
  database: Database,
  store: StoreAuditEvent,
  { key, at }: { key: string; at: number },
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const visit = await findVisit(tx, key)
    if (!visit || visit.opened_at === null || !(await markLeft(tx, key, at))) return
    const seconds = Math.round((at - visit.opened_at) / SECOND)
    const custom_message = `Left a shell in a job after ${seconds} s`
    await store(tx, eventOf(visit, { remove: 'shell', custom_message, seconds }), at)
  })
}

/**
 * Records that persons have left the shells of a coordinator that was killed, at the time at which it last saw each of
 * them: the coordinators on the store have not seen these since `seenSince`.
 */
export async function recordLost(
  database: Database,
  store: StoreAuditEvent,
  seenSince: number,
): Promise<void> {
  for (const { key, seen_at } of await findLost(database, seenSince)) {
    await recordLeft(database, store, { key, at: seen_at })
  }
}

function eventOf(visit: Visit, what: AuditDetails): AuditEvent {
  return {
    author_id: visit.user_id,
    entity_type: 'Project',
    entity_id: visit.project_id,
    details: {
      ...what,
      author_name: visit.user_name,
      target_id: visit.job_id,
      target_type: 'Job',
      target_details: visit.job_name,
      entity_path: visit.full_path,
    },
  }
}
