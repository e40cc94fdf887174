import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { Paging } from '../../http/operation.js'
import type { CiVariableTable } from './table.js'

export type VariableRow = Selectable<CiVariableTable>

export async function listVariables(
  database: Database,
  projectId: number,
  { perPage, offset }: Paging,
): Promise<{ rows: VariableRow[]; total: number }> {
  const matching = database.selectFrom('ci_variable').where('project_id', '=', projectId)
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching.selectAll().orderBy('id').limit(perPage).offset(offset).execute()
  return { rows, total }
}

/** `scope` undefined = every environment scope of the key. */
export function findVariables(
  database: Database,
  projectId: number,
  key: string,
  scope: string | undefined,
): Promise<VariableRow[]> {
  let query = database
    .selectFrom('ci_variable')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key', '=', key)
  if (scope !== undefined) query = query.where('environment_scope', '=', scope)
  return query.orderBy('id').execute()
}

export function insertVariable(
  database: Database,
  values: Insertable<CiVariableTable>,
): Promise<VariableRow> {
  return database.insertInto('ci_variable').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateVariable(
  database: Database,
  id: number,
  changes: Updateable<CiVariableTable>,
): Promise<VariableRow | undefined> {
  return database
    .updateTable('ci_variable')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteVariable(database: Database, id: number): Promise<void> {
  await database.deleteFrom('ci_variable').where('id', '=', id).execute()
}
