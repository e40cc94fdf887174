import { type Insertable, type Selectable, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { hasRowLocks, lockRow } from '../../database/lock-row.js'
import type {
  HookDeliveryTable,
  HookEventTable,
  HookLogTable,
  WebHookTable,
} from '../../database/tables/webhooks.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { GIVEN_UP_AFTER, type Health } from './hook-health.js'

export type HookRow = Selectable<WebHookTable>
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

/** Claims the hook for `owner` until the given time; undefined if another worker holds it. */
export function claimHook(
  database: Database,
  hookId: number,
  owner: string,
  { now, until }: { now: number; until: number },
): Promise<HookRow | undefined> {
  return database
    .updateTable('web_hook')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', hookId)
    .where(({ or, eb }) =>
      or([eb('lease_until', 'is', null), eb('lease_until', '<=', now), eb('lease_owner', '=', owner)]),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function releaseHook(database: Database, hookId: number, owner: string): Promise<void> {
  await database
    .updateTable('web_hook')
    .set({ lease_owner: null, lease_until: null })
    .where('id', '=', hookId)
    .where('lease_owner', '=', owner)
    .execute()
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

export function findEvent(database: Database, id: number): Promise<EventRow> {
  return database.selectFrom('hook_event').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/**
 * Stores the payload of an event for all its deliveries. Returns the stored payload, which another worker may
 * have written first.
 */
export async function keepPayload(database: Database, event: EventRow, encrypted: string): Promise<string> {
  const { numUpdatedRows } = await database
    .updateTable('hook_event')
    .set({ payload_encrypted: encrypted })
    .where('id', '=', event.id)
    .where('payload_encrypted', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return encrypted
  return (await findEvent(database, event.id)).payload_encrypted ?? encrypted
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
}

/**
 * Locks the project of the hook. The deletion of a project deletes its hooks and events in any order, so it
 * must wait before the first of them.
 */
async function keepProjectOfHook(tx: Transaction, hookId: number): Promise<void> {
  if (!hasRowLocks(tx)) return
  await tx
    .selectFrom('project')
    .select('id')
    .where('id', '=', (eb) => eb.selectFrom('web_hook').select('project_id').where('id', '=', hookId))
    .forKeyShare()
    .execute()
}

/** Records an attempt, and deletes or postpones the delivery. Records nothing for a deleted hook. */
export async function recordAttempt(
  database: Database,
  { log, health, delivery, retryAt }: Attempt,
): Promise<void> {
  await inTransaction(database, async (tx) => {
    await keepProjectOfHook(tx, log.hook_id)
    if (!(await lockRow(tx, 'web_hook', log.hook_id))) return
    await tx.insertInto('hook_log').values(log).execute()
    if (health) await tx.updateTable('web_hook').set(health).where('id', '=', log.hook_id).execute()
    if (delivery && retryAt === undefined) {
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

/** Deletes events from before `before` without pending deliveries, with their delivery log. */
export async function deleteOldEvents(database: Database, before: number): Promise<void> {
  await database
    .deleteFrom('hook_event')
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('hook_delivery')
            .select('hook_delivery.id')
            .whereRef('hook_delivery.event_id', '=', 'hook_event.id'),
        ),
      ),
    )
    .execute()
}

/** Deletes deliveries to hooks that have been unreachable for too long. */
export async function deleteDeliveriesBefore(database: Database, before: number): Promise<void> {
  await database.deleteFrom('hook_delivery').where('created_at', '<', before).execute()
}
