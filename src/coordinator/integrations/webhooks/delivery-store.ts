import { type Insertable, type Selectable, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteMatching } from '../../database/delete-in-steps.js'
import { hasRowLocks, lockRow } from '../../database/lock-row.js'
import type { HookDeliveryTable, HookEventTable, HookLogTable } from '../../database/tables/webhooks.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { GIVEN_UP_AFTER, type Health } from './hook-health.js'
import { setHookHealth } from './hook-store.js'
export type EventRow = Selectable<HookEventTable>
export type DeliveryRow = Selectable<HookDeliveryTable>

/** A hook with pending deliveries. Times are in milliseconds since the epoch. */
export interface WaitingHook {
  id: number
  /** Due time of its next delivery. */
  due_at: number
  lease_until: number | null
  disabled_until: number | null
}

/**
 * Finds every hook with pending deliveries. The query skips through the index from hook to hook, so its cost
 * does not depend on the number of deliveries. Permanently disabled hooks are excluded.
 */
export async function findWaitingHooks(database: Database): Promise<WaitingHook[]> {
  const { rows } = await sql<WaitingHook>`
    with recursive waiting(hook_id) as (
      select min(hook_id) from hook_delivery
      union all
      select (select min(later.hook_id) from hook_delivery later where later.hook_id > waiting.hook_id)
      from waiting where waiting.hook_id is not null
    )
    select web_hook.id, web_hook.lease_until, web_hook.disabled_until,
      (select min(due_at) from hook_delivery where hook_delivery.hook_id = web_hook.id) as due_at
    from waiting inner join web_hook on web_hook.id = waiting.hook_id
    where web_hook.recent_failures < ${GIVEN_UP_AFTER}
    order by due_at`.execute(database)
  return rows
}

/** The delivery with the earliest due time; equal times follow the order of the events. */
export function findNextDelivery(
  database: Database,
  hookId: number,
  now: number,
): Promise<DeliveryRow | undefined> {
  return database
    .selectFrom('hook_delivery')
    .selectAll()
    .where('hook_id', '=', hookId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Undefined if the project of the event was deleted. */
export function findEvent(database: Database, id: number): Promise<EventRow | undefined> {
  return database.selectFrom('hook_event').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Stores the payload of an event for all its deliveries. Returns the stored payload, which another worker may
 * have written first.
 */
export async function storePayload(database: Database, event: EventRow, encrypted: string): Promise<string> {
  const { numUpdatedRows } = await database
    .updateTable('hook_event')
    .set({ payload_encrypted: encrypted })
    .where('id', '=', event.id)
    .where('payload_encrypted', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return encrypted
  return (await findEvent(database, event.id))?.payload_encrypted ?? encrypted
}

/** Postpones a delivery, so that later ones are sent first. */
export async function postponeDelivery(database: Database, id: number, until: number): Promise<void> {
  await database.updateTable('hook_delivery').set({ due_at: until }).where('id', '=', id).execute()
}

export interface Attempt {
  log: Insertable<HookLogTable>
  /** New health of the hook; undefined = unchanged. */
  health: Health | undefined
  delivery: DeliveryRow | undefined
  /** Time of the next attempt; undefined = none. */
  retryAt?: number | undefined
  /** Number of requests that are sent, if more are to be sent for the event. */
  requestsDone?: number | undefined
}

/**
 * Locks the group of the hook, and the projects of the hook and of the event. The deletion of a group or of a
 * project deletes its hooks and events in any order, so it must wait before the first of them.
 */
async function lockOwners(tx: Transaction, hookId: number, eventId: number): Promise<void> {
  if (!hasRowLocks(tx)) return
  const hook = tx.selectFrom('web_hook').where('id', '=', hookId)
  await tx
    .selectFrom('namespace')
    .select('id')
    .where('id', '=', () => hook.select('group_id'))
    .forKeyShare()
    .execute()
  const event = tx.selectFrom('hook_event').where('id', '=', eventId)
  await tx
    .selectFrom('project')
    .select('id')
    .where('id', 'in', hook.select('project_id').union(event.select('project_id')))
    .orderBy('id')
    .forKeyShare()
    .execute()
}

async function isEvent(tx: Transaction, id: number): Promise<boolean> {
  const row = await tx.selectFrom('hook_event').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/**
 * Records an attempt, and deletes, continues or postpones the delivery. Records nothing for a deleted hook or event.
 */
export async function recordAttempt(
  database: Database,
  { log, health, delivery, retryAt, requestsDone }: Attempt,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockOwners(tx, log.hook_id, log.event_id)
    if (!(await lockRow(tx, 'web_hook', log.hook_id)) || !(await isEvent(tx, log.event_id))) return
    await tx.insertInto('hook_log').values(log).execute()
    if (health) await setHookHealth(tx, log.hook_id, health)
    if (delivery && requestsDone !== undefined) {
      await tx
        .updateTable('hook_delivery')
        .set({ attempts: 0, requests_done: requestsDone })
        .where('id', '=', delivery.id)
        .execute()
    } else if (delivery && retryAt === undefined) {
      await tx.deleteFrom('hook_delivery').where('id', '=', delivery.id).execute()
    } else if (delivery) {
      await tx
        .updateTable('hook_delivery')
        .set({ attempts: delivery.attempts + 1, due_at: retryAt })
        .where('id', '=', delivery.id)
        .execute()
    }
    if (health && health.recent_failures >= GIVEN_UP_AFTER) {
      await tx.deleteFrom('hook_delivery').where('hook_id', '=', log.hook_id).execute()
    }
  })
}

/** Returns the ids in the order of the events. */
export async function insertEvents(tx: Transaction, events: Insertable<HookEventTable>[]): Promise<number[]> {
  const rows = await tx.insertInto('hook_event').values(events).returning('id').execute()
  return rows.map(({ id }) => id).sort((one, other) => one - other)
}

export async function insertDeliveries(
  tx: Transaction,
  deliveries: Insertable<HookDeliveryTable>[],
): Promise<void> {
  await tx.insertInto('hook_delivery').values(deliveries).execute()
}

/** Deletes events from before `before` without pending deliveries, with their delivery log. */
export async function deleteOldEvents(database: Database, before: number): Promise<void> {
  await deleteMatching(
    database,
    'hook_event',
    sql`created_at < ${before}
      and not exists (select 1 from hook_delivery where hook_delivery.event_id = hook_event.id)`,
  )
}

/** Deletes deliveries to hooks that have been unreachable for too long. */
export async function deleteDeliveriesBefore(database: Database, before: number): Promise<void> {
  await deleteMatching(database, 'hook_delivery', sql`created_at < ${before}`)
}

export type LogRow = Selectable<HookLogTable> & Sent

/**
 * Deliveries to a hook, newest first, with their payloads. `statuses`: ranges of response statuses to
 * include.
 */
export async function listLog(
  database: Database,
  hookId: number,
  statuses: readonly StatusRange[],
  paging: Paging,
): Promise<Rows<LogRow>> {
  const logs = database
    .selectFrom('hook_log')
    .where('hook_log.hook_id', '=', hookId)
    .$if(statuses.length > 0, (query) =>
      query.where(({ or, between, eb }) =>
        or([
          ...statuses.map(([from, to]) => between('response_code', from, to)),
          ...(statuses.some(([, to]) => to >= SERVER_FAILURE) ? [eb('response_code', 'is', null)] : []),
        ]),
      ),
    )
  const order = { table: 'hook_log', column: 'id', direction: 'desc' } as const
  const { rows, total } = await listRows(database, logs, paging, order)
  const events = await listSentEvents(database, [...new Set(rows.map(({ event_id }) => event_id))])
  const withEvents = rows.flatMap((row) => {
    const sent = events.get(row.event_id)
    return sent ? [{ ...row, ...sent }] : []
  })
  return { rows: withEvents, total }
}

/** Inclusive range. */
export type StatusRange = readonly [from: number, to: number]

export function insertEvent(database: Database, values: Insertable<HookEventTable>): Promise<EventRow> {
  return database.insertInto('hook_event').values(values).returningAll().executeTakeFirstOrThrow()
}

/** The event of a log entry of the hook. */
export function findLoggedEvent(
  database: Database,
  hookId: number,
  logId: number,
): Promise<EventRow | undefined> {
  return database
    .selectFrom('hook_log')
    .innerJoin('hook_event', 'hook_event.id', 'hook_log.event_id')
    .selectAll('hook_event')
    .where('hook_log.hook_id', '=', hookId)
    .where('hook_log.id', '=', logId)
    .executeTakeFirst()
}

type Sent = Pick<EventRow, 'trigger' | 'payload_encrypted'>

/** Payloads by event ID. */
async function listSentEvents(database: Database, eventIds: number[]) {
  if (eventIds.length === 0) return new Map<number, Sent>()
  const events = await database
    .selectFrom('hook_event')
    .select(['id', 'trigger', 'payload_encrypted'])
    .where('id', 'in', eventIds)
    .execute()
  return new Map<number, Sent>(events.map(({ id, ...sent }) => [id, sent]))
}

const SERVER_FAILURE = 599
