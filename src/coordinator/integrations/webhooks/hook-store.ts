import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { HookEventTable, HookLogTable, WebHookTable } from '../../database/tables/webhooks.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { EventRow, HookRow } from './delivery-store.js'

/** Owner of hooks: the ID of a project, or null for the instance. */
export type HookOwner = number | null

/** Query on the hooks of one owner. */
export function hooksOf(database: Database, owner: HookOwner) {
  const hooks = database.selectFrom('web_hook')
  return owner === null ? hooks.where('project_id', 'is', null) : hooks.where('project_id', '=', owner)
}

export function listHooks(database: Database, owner: HookOwner, paging: Paging): Promise<Rows<HookRow>> {
  const order = { table: 'web_hook', column: 'id', direction: 'asc' } as const
  return listRows(database, hooksOf(database, owner), paging, order)
}

export function findHook(database: Database, owner: HookOwner, id: number): Promise<HookRow | undefined> {
  return hooksOf(database, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertHook(database: Database, values: Insertable<WebHookTable>): Promise<HookRow> {
  return database.insertInto('web_hook').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateHook(
  database: Database,
  id: number,
  changes: Updateable<WebHookTable>,
): Promise<HookRow | undefined> {
  return database.updateTable('web_hook').set(changes).where('id', '=', id).returningAll().executeTakeFirst()
}

export async function deleteHook(database: Database, id: number): Promise<void> {
  await database.deleteFrom('web_hook').where('id', '=', id).execute()
}

type Sent = Pick<EventRow, 'trigger' | 'payload_encrypted'>
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
  const events = await sentOf(database, [...new Set(rows.map(({ event_id }) => event_id))])
  const withEvents = rows.flatMap((row) => {
    const sent = events.get(row.event_id)
    return sent ? [{ ...row, ...sent }] : []
  })
  return { rows: withEvents, total }
}

/** Payloads by event ID. */
async function sentOf(database: Database, eventIds: number[]) {
  if (eventIds.length === 0) return new Map<number, Sent>()
  const events = await database
    .selectFrom('hook_event')
    .select(['id', 'trigger', 'payload_encrypted'])
    .where('id', 'in', eventIds)
    .execute()
  return new Map<number, Sent>(events.map(({ id, ...sent }) => [id, sent]))
}

/** Inclusive range. */
export type StatusRange = readonly [from: number, to: number]

const SERVER_FAILURE = 599

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
