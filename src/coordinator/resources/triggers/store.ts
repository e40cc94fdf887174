import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { Paging } from '../../http/operation.js'
import type { TriggerTokenTable } from './table.js'

export type TriggerRow = Selectable<TriggerTokenTable>

export async function listTriggers(
  database: Database,
  projectId: number,
  { perPage, offset }: Pick<Paging, 'perPage' | 'offset'>,
): Promise<{ rows: TriggerRow[]; total: number }> {
  const triggers = database.selectFrom('trigger_token').where('project_id', '=', projectId)
  const rows = await triggers.selectAll().orderBy('id').limit(perPage).offset(offset).execute()
  const { total } = await triggers
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
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
