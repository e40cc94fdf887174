import type { Insertable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { WebHookTable } from '../../events/outbox/tables.js'
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
