import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { CiVariableTable } from '../../database/tables/variables.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { ownerColumns, type VariableOwner } from './owner.js'

export type VariableRow = Selectable<CiVariableTable>

export function listVariables(
  database: Database,
  owner: VariableOwner,
  paging: Paging,
): Promise<Rows<VariableRow>> {
  const order = { table: 'ci_variable', column: 'id', direction: 'asc' } as const
  return listRows(database, variablesOf(database, owner), paging, order)
}

/** `scope` undefined = every environment scope of the key. */
export function findVariables(
  database: Database,
  owner: VariableOwner,
  key: string,
  scope: string | undefined,
): Promise<VariableRow[]> {
  return variablesOf(database, owner)
    .selectAll()
    .where('key', '=', key)
    .$if(scope !== undefined, (query) => query.where('environment_scope', '=', scope ?? ''))
    .orderBy('id')
    .execute()
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

export async function deleteVariableRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('ci_variable').where('id', '=', id).execute()
}

export function variablesOf(database: Database, owner: VariableOwner) {
  const { project_id, namespace_id } = ownerColumns(owner)
  return database
    .selectFrom('ci_variable')
    .where('project_id', project_id === null ? 'is' : '=', project_id)
    .where('namespace_id', namespace_id === null ? 'is' : '=', namespace_id)
}
