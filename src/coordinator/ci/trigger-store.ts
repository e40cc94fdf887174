import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { TriggerTokenTable } from '../database/tables/triggers.js'
import type { Paging } from '../http/page.js'
import { listRows, type Rows } from '../http/paging/list-rows.js'

export type TriggerRow = Selectable<TriggerTokenTable>

export function triggersOf(database: Database, projectId: number) {
  return database.selectFrom('trigger_token').where('project_id', '=', projectId)
}

export function listTriggers(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<TriggerRow>> {
  return listRows(database, triggersOf(database, projectId), paging, {
    table: 'trigger_token',
    column: 'id',
    direction: 'asc',
  })
}

export function findTrigger(
  database: Database,
  projectId: number,
  id: number,
): Promise<TriggerRow | undefined> {
  return database
    .selectFrom('trigger_token')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function insertTrigger(
  database: Database,
  values: Insertable<TriggerTokenTable>,
): Promise<TriggerRow> {
  return database.insertInto('trigger_token').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateTrigger(
  database: Database,
  id: number,
  changes: Updateable<TriggerTokenTable>,
): Promise<TriggerRow | undefined> {
  return database
    .updateTable('trigger_token')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteTrigger(database: Database, id: number): Promise<void> {
  await database.deleteFrom('trigger_token').where('id', '=', id).execute()
}

export async function recordTriggerUse(database: Database, id: number): Promise<void> {
  await database.updateTable('trigger_token').set({ last_used: Date.now() }).where('id', '=', id).execute()
}
