import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ScimGroupTable } from '../../database/tables/scim.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import { type Conditions, idOf, textIn } from '../protocol/condition.js'
import type { Window } from '../protocol/list-query.js'
import type { GroupStatement } from '../protocol/read-group.js'

export type GroupRow = Selectable<ScimGroupTable>

/** A member, with the name that the provider gave it. */
export interface GroupMember {
  scim_group_id: number
  user_id: number
  user_name: string
}

/** IDs of one statement: SQLite has a maximum of parameters. */
const CHUNK = 500

/** Attributes that groups are searched by. */
export const GROUP_CONDITIONS: Conditions = new Map([
  ['displayname', (value) => sameText(sql.ref('scim_group.display_name'), textIn(value))],
  ['externalid', (value) => sql<SqlBool>`scim_group.external_id = ${textIn(value)}`],
  ['id', (value) => sql<SqlBool>`scim_group.id = ${idOf(value)}`],
  ['members.value', (value) => hasMember(idOf(value))],
  ['members', (value) => hasMember(idOf(value))],
])

function hasMember(userId: number): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from scim_group_member
    where scim_group_member.scim_group_id = scim_group.id and scim_group_member.user_id = ${userId})`
}

export function findGroup(database: Database, provider: string, id: number): Promise<GroupRow | undefined> {
  return database
    .selectFrom('scim_group')
    .selectAll()
    .where('provider', '=', provider)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** In the order of their IDs. */
export async function listGroupRows(
  database: Database,
  provider: string,
  condition: Expression<SqlBool> | undefined,
  { offset, limit }: Window,
): Promise<{ total: number; rows: GroupRow[] }> {
  let found = database.selectFrom('scim_group').where('provider', '=', provider)
  if (condition) found = found.where(condition)
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found.selectAll().orderBy('id').offset(offset).limit(limit).execute()
  return { total, rows }
}

/** Members of the groups with these IDs, in the order of their IDs. */
export function listMembers(database: Database, groupIds: readonly number[]): Promise<GroupMember[]> {
  if (groupIds.length === 0) return Promise.resolve([])
  return database
    .selectFrom('scim_group_member')
    .innerJoin('scim_user', 'scim_user.user_id', 'scim_group_member.user_id')
    .select(['scim_group_member.scim_group_id', 'scim_group_member.user_id', 'scim_user.user_name'])
    .where('scim_group_member.scim_group_id', 'in', groupIds)
    .orderBy('scim_group_member.user_id')
    .execute()
}

/** Those of the IDs that belong to users whom the provider manages. */
export async function managedAmong(
  database: Database,
  provider: string,
  userIds: readonly number[],
): Promise<Set<number>> {
  const found = new Set<number>()
  for (const ids of inChunks(userIds)) {
    const rows = await database
      .selectFrom('scim_user')
      .select('user_id')
      .where('provider', '=', provider)
      .where('deleted_at', 'is', null)
      .where('user_id', 'in', ids)
      .execute()
    for (const { user_id } of rows) found.add(user_id)
  }
  return found
}

export function insertGroup(
  tx: Transaction,
  provider: string,
  { displayName, externalId }: GroupStatement,
): Promise<GroupRow> {
  const now = Date.now()
  return tx
    .insertInto('scim_group')
    .values({
      provider,
      display_name: displayName,
      external_id: externalId,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks the group until the end of the transaction. Undefined if the provider has no such group. */
export function lockGroup(tx: Transaction, provider: string, id: number): Promise<GroupRow | undefined> {
  return tx
    .updateTable('scim_group')
    .set({ provider })
    .where('provider', '=', provider)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export function updateGroup(
  tx: Transaction,
  before: GroupRow,
  { displayName, externalId }: GroupStatement,
): Promise<GroupRow> {
  // Each change has a time of its own, because it is the version of the group.
  const updatedAt = Math.max(Date.now(), before.updated_at + 1)
  return tx
    .updateTable('scim_group')
    .set({ display_name: displayName, external_id: externalId, updated_at: updatedAt })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether another group of the provider than `except` has this name. */
export async function isGroupNameTaken(
  database: Database,
  provider: string,
  name: string,
  except: number,
): Promise<boolean> {
  const row = await database
    .selectFrom('scim_group')
    .select('id')
    .where('provider', '=', provider)
    .where(({ ref }) => sameText(ref('display_name'), name))
    .where('id', '!=', except)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteGroupRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('scim_group_member').where('scim_group_id', '=', id).execute()
  await tx.deleteFrom('scim_group').where('id', '=', id).execute()
}

export async function insertGroupMembers(
  tx: Transaction,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  for (const ids of inChunks(userIds)) {
    await tx
      .insertInto('scim_group_member')
      .values(ids.map((user_id) => ({ scim_group_id: groupId, user_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

export async function deleteGroupMembers(
  tx: Transaction,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  for (const ids of inChunks(userIds)) {
    await tx
      .deleteFrom('scim_group_member')
      .where('scim_group_id', '=', groupId)
      .where('user_id', 'in', ids)
      .execute()
  }
}

/** Stores that the memberships of the users have to be changed. */
export async function markChanged(tx: Transaction, userIds: readonly number[]): Promise<void> {
  for (const ids of inChunks(userIds)) {
    await tx.updateTable('scim_user').set({ has_group_changes: true }).where('user_id', 'in', ids).execute()
  }
}

/** Returns false if another request has changed the memberships already. */
export async function takeMark(tx: Transaction, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('scim_user')
    .set({ has_group_changes: false })
    .where('user_id', '=', userId)
    .where('has_group_changes', '=', true)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Users whose memberships have to be changed, at most `limit`. */
export function listChanged(
  database: Database,
  limit: number,
): Promise<{ user_id: number; provider: string }[]> {
  return database
    .selectFrom('scim_user')
    .select(['user_id', 'provider'])
    .where('has_group_changes', '=', true)
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

function inChunks(ids: readonly number[]): number[][] {
  const sorted = ids.toSorted((one, other) => one - other)
  return Array.from({ length: Math.ceil(sorted.length / CHUNK) }, (_each, at) =>
    sorted.slice(at * CHUNK, (at + 1) * CHUNK),
  )
}
