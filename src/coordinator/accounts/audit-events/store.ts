import { type Selectable, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteMatching } from '../../database/delete-in-steps.js'
import type { AuditEntityType, AuditEvent, AuditEventTable } from '../../database/tables/audit-events.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { AuditTrail } from '../../http/audit-operation.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type AuditEventRow = Selectable<AuditEventTable>

/**
 * Filter of audit events; an absent field does not restrict the result. Times are in milliseconds since the
 * epoch, inclusive.
 */
export interface AuditFilter {
  authorId?: number | undefined
  entityType?: AuditEntityType | undefined
  entityId?: number | undefined
  createdAfter?: number | undefined
  createdBefore?: number | undefined
}

export async function insertAuditEvent(
  database: Database,
  event: AuditEvent,
  created_at: number = Date.now(),
): Promise<void> {
  const { details, ...columns } = event
  await database
    .insertInto('audit_event')
    .values({ ...columns, details: JSON.stringify(details), created_at })
    .execute()
}

/** Audit trail in the database. */
export function createAuditTrail(database: Database): AuditTrail {
  return {
    begin: (event) => insertIntent(database, event),
    finish: (intent, events) =>
      inTransaction(database, async (tx) => {
        // Without the intent, `resolveIntents` has already recorded the event.
        if (!(await deleteIntent(tx, intent))) return
        for (const event of events) await insertAuditEvent(tx, event)
      }),
  }
}

async function insertIntent(database: Database, event: AuditEvent): Promise<number> {
  const { id } = await database
    .insertInto('audit_intent')
    .values({ event: JSON.stringify(event), created_at: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function deleteIntent(tx: Transaction, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('audit_intent').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

/** Maximum number of intents per run. */
const BATCH = 100

/**
 * Periodic task: records events for operations that started before `time` and whose outcome is unknown,
 * because the coordinator was stopped or failed.
 */
export async function resolveIntents(database: Database, time: number): Promise<void> {
  const intents = await database
    .selectFrom('audit_intent')
    .selectAll()
    .where('created_at', '<', time)
    .orderBy('id')
    .limit(BATCH)
    .execute()
  for (const { id, event, created_at } of intents) {
    await inTransaction(database, async (tx) => {
      if (!(await deleteIntent(tx, id))) return
      const details = { ...event.details, outcome: 'unknown' }
      await insertAuditEvent(tx, { ...event, details }, created_at)
    })
  }
}

/** Newest first. */
export async function listAuditEvents(
  database: Database,
  filter: AuditFilter,
  paging: Paging,
): Promise<Rows<AuditEventRow>> {
  const matching = eventsMatching(database, filter)
  const order = { table: 'audit_event', column: 'id', direction: 'desc' } as const
  return listRows(database, matching, paging, order)
}

export function findAuditEvent(
  database: Database,
  id: number,
  filter: AuditFilter,
): Promise<AuditEventRow | undefined> {
  return eventsMatching(database, filter).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Periodic task: deletes the events before `time`. Returns their number. */
export function deleteAuditEventsBefore(database: Database, time: number): Promise<number> {
  return deleteMatching(database, 'audit_event', sql`created_at < ${time}`)
}

function eventsMatching(database: Database, filter: AuditFilter) {
  const { authorId, entityType, entityId, createdAfter, createdBefore } = filter
  let query = database.selectFrom('audit_event')
  if (authorId !== undefined) query = query.where('author_id', '=', authorId)
  if (entityType !== undefined) query = query.where('entity_type', '=', entityType)
  if (entityId !== undefined) query = query.where('entity_id', '=', entityId)
  if (createdAfter !== undefined) query = query.where('created_at', '>=', createdAfter)
  if (createdBefore !== undefined) query = query.where('created_at', '<=', createdBefore)
  return query
}
