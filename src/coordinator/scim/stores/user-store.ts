import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ScimUserTable } from '../../database/tables/scim.js'
import type { UserState } from '../../database/tables/users.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import { type Conditions, idOf, textIn } from '../protocol/condition.js'
import type { Window } from '../protocol/list-query.js'
import type { UserStatement } from '../protocol/read-user.js'

/** An account that a provider manages. */
export type ManagedUser = Selectable<ScimUserTable> & {
  external_id: string
  username: string
  is_admin: boolean
}

/** An account without the identity of its provider is not managed: administrators release it so. */
function managedUsers(database: Database, provider: string) {
  return database
    .selectFrom('scim_user')
    .innerJoin('user', 'user.id', 'scim_user.user_id')
    .innerJoin('user_identity', (join) =>
      join
        .onRef('user_identity.user_id', '=', 'scim_user.user_id')
        .onRef('user_identity.provider', '=', 'scim_user.provider'),
    )
    .where('scim_user.provider', '=', provider)
    .where('scim_user.deleted_at', 'is', null)
}

export function findManagedUser(
  database: Database,
  provider: string,
  id: number,
): Promise<ManagedUser | undefined> {
  return managedUsers(database, provider)
    .selectAll('scim_user')
    .select(['user_identity.extern_uid as external_id', 'user.username', 'user.is_admin'])
    .where('scim_user.user_id', '=', id)
    .executeTakeFirst()
}

/** Attributes that users are searched by. */
export const USER_CONDITIONS: Conditions = new Map([
  ['username', (value) => sameText(sql.ref('scim_user.user_name'), textIn(value))],
  ['externalid', (value) => sql<SqlBool>`user_identity.extern_uid = ${textIn(value)}`],
  ['id', (value) => sql<SqlBool>`scim_user.user_id = ${idOf(value)}`],
  ['emails', (value) => sameText(sql.ref('scim_user.email'), textIn(value))],
  ['emails.value', (value) => sameText(sql.ref('scim_user.email'), textIn(value))],
  ['active', (value) => sql<SqlBool>`scim_user.active = ${value === true || value === 'true'}`],
])

/** In the order of their IDs. */
export async function listManagedUsers(
  database: Database,
  provider: string,
  condition: Expression<SqlBool> | undefined,
  { offset, limit }: Window,
): Promise<{ total: number; rows: ManagedUser[] }> {
  let found = managedUsers(database, provider)
  if (condition) found = found.where(condition)
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .selectAll('scim_user')
    .select(['user_identity.extern_uid as external_id', 'user.username', 'user.is_admin'])
    .orderBy('scim_user.user_id')
    .offset(offset)
    .limit(limit)
    .execute()
  return { total, rows }
}

/** Whether another user of the provider than `except` has this name. */
export async function isUserNameTaken(
  database: Database,
  provider: string,
  userName: string,
  except = 0,
): Promise<boolean> {
  const row = await database
    .selectFrom('scim_user')
    .select('user_id')
    .where('provider', '=', provider)
    .where(({ ref }) => sameText(ref('user_name'), userName))
    .where('user_id', '!=', except)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** The row of an account, also of one that was deleted at its provider. */
export function findRow(database: Database, userId: number): Promise<Selectable<ScimUserTable> | undefined> {
  return database.selectFrom('scim_user').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

function columnsOf(statement: UserStatement) {
  return {
    user_name: statement.userName,
    email: statement.email,
    display_name: statement.displayName,
    formatted_name: statement.formattedName,
    given_name: statement.givenName,
    family_name: statement.familyName,
    updated_at: Date.now(),
  }
}

/**
 * Stores that a provider manages an account, also again after one had deleted the user. Returns false if one manages it
 * already. An account that another provider has blocked stays blocked.
 */
export async function insertManagedUser(
  tx: Transaction,
  userId: number,
  provider: string,
  statement: UserStatement,
): Promise<boolean> {
  const columns = { provider, ...columnsOf(statement) }
  const stored = await tx
    .insertInto('scim_user')
    .values({ user_id: userId, ...columns, active: true, created_at: columns.updated_at })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({
          ...columns,
          deleted_at: null,
          state_before_block: sql<UserState | null>`case when scim_user.provider = ${provider}
            then scim_user.state_before_block end`,
        })
        .where('scim_user.deleted_at', 'is not', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  return stored !== undefined
}

export async function updateStatement(
  tx: Transaction,
  userId: number,
  statement: UserStatement,
): Promise<void> {
  await tx.updateTable('scim_user').set(columnsOf(statement)).where('user_id', '=', userId).execute()
}

export async function updateActive(
  tx: Transaction,
  userId: number,
  changes: { active: boolean; state_before_block: UserState | null },
): Promise<void> {
  await tx
    .updateTable('scim_user')
    .set({ ...changes, updated_at: Date.now() })
    .where('user_id', '=', userId)
    .execute()
}

/** The account stays, without SCIM groups. */
export async function markDeleted(tx: Transaction, userId: number): Promise<void> {
  const now = Date.now()
  await tx.deleteFrom('scim_group_member').where('user_id', '=', userId).execute()
  await tx
    .updateTable('scim_user')
    .set({ deleted_at: now, updated_at: now, has_group_changes: false })
    .where('user_id', '=', userId)
    .execute()
}
