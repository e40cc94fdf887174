import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { EventRow } from '../../events/deliveries/store.js'
import type { HookEventTable, HookLogTable, WebHookTable } from '../../events/outbox/tables.js'
import type { Paging } from '../../http/operation.js'
import type { HookOwner, HookRow } from './hooks.js'

/** `web_hook` of one owner. */
function hooksOf(database: Database, owner: HookOwner) {
  const hooks = database.selectFrom('web_hook')
  return owner === null ? hooks.where('project_id', 'is', null) : hooks.where('project_id', '=', owner)
}

export async function listHooks(
  database: Database,
  owner: HookOwner,
  { perPage, offset }: Pick<Paging, 'perPage' | 'offset'>,
): Promise<{ rows: HookRow[]; total: number }> {
  const rows = await hooksOf(database, owner)
    .selectAll()
    .orderBy('id')
    .limit(perPage)
    .offset(offset)
    .execute()
  return { rows, total: await countHooks(database, owner) }
}

export async function countHooks(database: Database, owner: HookOwner): Promise<number> {
  const { total } = await hooksOf(database, owner)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
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

export type LogRow = Selectable<HookLogTable> & {
  trigger: EventRow['trigger']
  payload_encrypted: string | null
}

/** Deliveries to a hook, the newest first, with what was sent; `statuses`: those whose answer lies in one of the ranges. */
export async function listLog(
  database: Database,
  hookId: number,
  statuses: readonly StatusRange[],
  { perPage, offset }: Pick<Paging, 'perPage' | 'offset'>,
): Promise<{ rows: LogRow[]; total: number }> {
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
  const rows = await logs
    .innerJoin('hook_event', 'hook_event.id', 'hook_log.event_id')
    .selectAll('hook_log')
    .select(['hook_event.trigger', 'hook_event.payload_encrypted'])
    .orderBy('hook_log.id', 'desc')
    .limit(perPage)
    .offset(offset)
    .execute()
  const { total } = await logs.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

/** From and to, both included. */
export type StatusRange = readonly [from: number, to: number]

const SERVER_FAILURE = 599

export function insertEvent(database: Database, values: Insertable<HookEventTable>): Promise<EventRow> {
  return database.insertInto('hook_event').values(values).returningAll().executeTakeFirstOrThrow()
}

/** What an entry of the log of the hook tells of. */
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
