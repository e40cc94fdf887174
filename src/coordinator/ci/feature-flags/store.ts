import type { Insertable, Selectable, Updateable } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type {
  FeatureFlagStrategyTable,
  FeatureFlagTable,
  FeatureFlagUserListTable,
} from '../../database/tables/feature-flags.js'
import { containsText } from '../../database/text.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type FlagRow = Selectable<FeatureFlagTable>
export type StrategyRow = Selectable<FeatureFlagStrategyTable>
export type UserListRow = Selectable<FeatureFlagUserListTable>

export function flagsOf(database: Database, projectId: number, active?: boolean) {
  return database
    .selectFrom('feature_flag')
    .where('project_id', '=', projectId)
    .$if(active !== undefined, (query) => query.where('active', '=', active ?? true))
}

/** By name. */
export function listFlags(
  database: Database,
  projectId: number,
  active: boolean | undefined,
  paging: Paging,
): Promise<Rows<FlagRow>> {
  const order = { table: 'feature_flag', column: 'name', direction: 'asc' } as const
  return listRows(database, flagsOf(database, projectId, active), paging, order)
}

export function findFlag(database: Database, projectId: number, name: string): Promise<FlagRow | undefined> {
  return flagsOf(database, projectId).selectAll().where('name', '=', name).executeTakeFirst()
}

export function insertFlag(database: Database, values: Insertable<FeatureFlagTable>): Promise<FlagRow> {
  return database.insertInto('feature_flag').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateFlag(
  database: Database,
  id: number,
  changes: Updateable<FeatureFlagTable>,
): Promise<FlagRow> {
  return database
    .updateTable('feature_flag')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteFlagRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('feature_flag').where('id', '=', id).execute()
}

/** The strategies of flags, by the ID of the flag. */
export async function strategiesOf(
  database: Database,
  flagIds: readonly number[],
): Promise<Map<number, StrategyRow[]>> {
  if (flagIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('feature_flag_strategy')
    .selectAll()
    .where('feature_flag_id', 'in', flagIds)
    .orderBy('id')
    .execute()
  return new Map(groupBy(rows, ({ feature_flag_id }) => feature_flag_id))
}

export async function insertStrategy(
  database: Database,
  values: Insertable<FeatureFlagStrategyTable>,
): Promise<void> {
  await database.insertInto('feature_flag_strategy').values(values).execute()
}

export async function updateStrategy(
  database: Database,
  id: number,
  changes: Updateable<FeatureFlagStrategyTable>,
): Promise<void> {
  await database.updateTable('feature_flag_strategy').set(changes).where('id', '=', id).execute()
}

export async function deleteStrategy(database: Database, id: number): Promise<void> {
  await database.deleteFrom('feature_flag_strategy').where('id', '=', id).execute()
}

export function userListsOf(database: Database, projectId: number, search?: string) {
  return database
    .selectFrom('feature_flag_user_list')
    .where('project_id', '=', projectId)
    .$if(search !== undefined, (query) => query.where(({ ref }) => containsText(ref('name'), search ?? '')))
}

export function listUserLists(
  database: Database,
  projectId: number,
  search: string | undefined,
  paging: Paging,
): Promise<Rows<UserListRow>> {
  const order = { table: 'feature_flag_user_list', column: 'id', direction: 'asc' } as const
  return listRows(database, userListsOf(database, projectId, search), paging, order)
}

export function findUserList(
  database: Database,
  projectId: number,
  by: { iid: number } | { id: number } | { name: string },
): Promise<UserListRow | undefined> {
  return userListsOf(database, projectId)
    .selectAll()
    .where(({ and }) => and(by))
    .executeTakeFirst()
}

export async function userListsById(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, UserListRow>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('feature_flag_user_list')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function highestListIid(database: Database, projectId: number): Promise<number> {
  const row = await userListsOf(database, projectId)
    .select(({ fn }) => fn.max('iid').as('highest'))
    .executeTakeFirst()
  return row?.highest ?? 0
}

export function insertUserList(
  database: Database,
  values: Insertable<FeatureFlagUserListTable>,
): Promise<UserListRow> {
  return database.insertInto('feature_flag_user_list').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateUserList(
  database: Database,
  id: number,
  changes: Updateable<FeatureFlagUserListTable>,
): Promise<UserListRow> {
  return database
    .updateTable('feature_flag_user_list')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** False if a strategy names the list, which is then kept. */
export async function deleteUnusedUserList(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('feature_flag_user_list')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('feature_flag_strategy').select('id').where('user_list_id', '=', id))),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The encrypted token of the applications of a project; undefined before it was asked for. */
export async function findClientToken(database: Database, projectId: number): Promise<string | undefined> {
  const row = await database
    .selectFrom('feature_flag_client')
    .select('token_encrypted')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row?.token_encrypted
}

/** Keeps the token that another request has just stored. */
export async function insertClientToken(
  database: Database,
  projectId: number,
  tokenEncrypted: string,
): Promise<void> {
  await database
    .insertInto('feature_flag_client')
    .values({ project_id: projectId, token_encrypted: tokenEncrypted })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute()
}
