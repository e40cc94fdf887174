import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { ProtectedRefTable } from '../database/tables/protected-refs.js'
import { containsText } from '../database/text.js'
import type { Paging } from '../http/page.js'
import { listRows, type Rows } from '../http/paging/list-rows.js'

export type ProtectedRef = Selectable<ProtectedRefTable>
export type RefKind = ProtectedRef['kind']

export async function listProtectedRefs(
  database: Database,
  projectId: number,
  kind: RefKind,
  search: string | undefined,
  paging: Paging,
): Promise<Rows<ProtectedRef>> {
  let matching = database
    .selectFrom('protected_ref')
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
  if (search) matching = matching.where(({ ref }) => containsText(ref('name'), search))
  return listRows(database, matching, paging, { table: 'protected_ref', column: 'name', direction: 'asc' })
}

export function findProtectedRef(
  database: Database,
  projectId: number,
  kind: RefKind,
  name: string,
): Promise<ProtectedRef | undefined> {
  return database
    .selectFrom('protected_ref')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Undefined if a rule with this name exists. */
export function insertProtectedRef(
  database: Database,
  values: Insertable<ProtectedRefTable>,
): Promise<ProtectedRef | undefined> {
  return database
    .insertInto('protected_ref')
    .values(values)
    .onConflict((conflict) => conflict.columns(['project_id', 'kind', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Inserts a rule, or gives the rule of this name the levels. */
export async function upsertProtectedRef(
  database: Database,
  values: Pick<Insertable<ProtectedRefTable>, 'project_id' | 'kind' | 'name' | 'created_at'>,
  levels: Pick<ProtectedRef, 'push_access_level' | 'merge_access_level'>,
): Promise<void> {
  await database
    .insertInto('protected_ref')
    .values({ ...values, ...levels })
    .onConflict((conflict) => conflict.columns(['project_id', 'kind', 'name']).doUpdateSet(levels))
    .execute()
}

export function updateProtectedRef(
  database: Database,
  id: number,
  changes: Updateable<ProtectedRefTable>,
): Promise<ProtectedRef> {
  return database
    .updateTable('protected_ref')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteProtectedRef(database: Database, id: number): Promise<void> {
  await database.deleteFrom('protected_ref').where('id', '=', id).execute()
}

/** Deletes the rule of exactly this name; a rule with a pattern that matches the name stays. */
export async function deleteProtectedBranch(
  database: Database,
  projectId: number,
  name: string,
): Promise<void> {
  await database
    .deleteFrom('protected_ref')
    .where('project_id', '=', projectId)
    .where('kind', '=', 'branch')
    .where('name', '=', name)
    .execute()
}
