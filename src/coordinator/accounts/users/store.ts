import { type Insertable, type RawBuilder, sql, type SqlBool, type Updateable } from 'kysely'

import type { User } from '../../access/caller.js'
import { maySeeGroup, maySeeProject, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { insertNamespace } from '../../database/stores/namespace-store.js'
import { insertProfile, type ProfileChanges } from '../../database/stores/user-profile-store.js'
import type { UserState, UserTable } from '../../database/tables/users.js'
import { anyContainsText, sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import { deleteRedirect } from '../../hosting/paths/redirects.js'
import type { Paging } from '../../http/page.js'
import { countAround, listRows, type Rows } from '../../http/paging/list-rows.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { ListUsers } from './record/schema.js'

export type NewUser = Pick<Insertable<UserTable>, 'username' | 'name' | 'email' | 'is_admin'> &
  Partial<Insertable<UserTable>>

export function findUser(database: Database, id: number): Promise<User | undefined> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Inserts a user with a profile and, unless the user is a bot, the personal namespace of the same name. */
export async function insertUser(
  tx: Transaction,
  values: NewUser,
  profile: ProfileChanges = {},
): Promise<User> {
  const now = Date.now()
  const user = await tx
    .insertInto('user')
    .values({ state: 'active', created_at: now, ...values })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertProfile(tx, { confirmed_at: now, ...profile, user_id: user.id, updated_at: now })
  if (user.kind === 'human') await insertPersonalNamespace(tx, user)
  return user
}

async function insertPersonalNamespace(tx: Transaction, user: User): Promise<void> {
  await deleteRedirect(tx, user.username)
  await insertNamespace(tx, {
    kind: 'user',
    name: user.name,
    path: user.username,
    full_path: user.username,
    owner_id: user.id,
    visibility: 'public',
    created_at: user.created_at,
  })
}

export function updateUser(tx: Transaction, id: number, changes: Updateable<UserTable>): Promise<User> {
  return tx.updateTable('user').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function setUserState(tx: Transaction, id: number, state: UserState): Promise<void> {
  await tx.updateTable('user').set({ state }).where('id', '=', id).execute()
}

/** Changes the state of a user who is still in the state `from`; false otherwise. */
export async function moveUserState(
  database: Database,
  id: number,
  { from, to }: { from: UserState; to: UserState },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('user')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records since when the user of an identity is gone at the directory; null = the user is there. */
export async function setGoneAt(tx: Transaction, id: number, goneAt: number | null): Promise<void> {
  await tx.updateTable('user_identity').set({ gone_at: goneAt }).where('id', '=', id).execute()
}

/** Makes other transactions that lock or change administrators wait until `tx` ends. */
export async function lockAdministrators(tx: Transaction): Promise<void> {
  await tx
    .updateTable('user')
    .set({ name: sql.ref('name') })
    .where('is_admin', '=', true)
    .execute()
}

/** Whether there is an active administrator besides this user. */
export async function hasOtherAdministrator(tx: Transaction, id: number): Promise<boolean> {
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where('is_admin', '=', true)
    .where('state', '=', 'active')
    .where('id', '!=', id)
    .executeTakeFirst()
  return other !== undefined
}

export async function deleteUserRow(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('user').where('id', '=', id).execute()
}

/**
 * Whether the address is the primary address of a user or a confirmed secondary one. Unconfirmed addresses do
 * not count, nor do those of the user `except`.
 */
export async function isEmailTaken(database: Database, email: string, except = 0): Promise<boolean> {
  const primary = await database
    .selectFrom('user')
    .select('id')
    .where(({ ref }) => sameText(ref('email'), email))
    .where('id', '!=', except)
    .executeTakeFirst()
  if (primary) return true
  const other = await database
    .selectFrom('user_email')
    .select('id')
    .where(({ ref }) => sameText(ref('email'), email))
    .where('user_id', '!=', except)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return other !== undefined
}

/** Users and groups share the top level of paths. */
export async function isPathTaken(database: Database, path: string): Promise<boolean> {
  const row = await database
    .selectFrom('namespace')
    .select('id')
    .where(({ ref }) => sameText(ref('full_path'), path))
    .executeTakeFirst()
  return row !== undefined || (await isUsernameTaken(database, path))
}

/** Bots have a username, but no namespace. */
async function isUsernameTaken(database: Database, username: string): Promise<boolean> {
  const row = await database
    .selectFrom('user')
    .select('id')
    .where(({ ref }) => sameText(ref('username'), username))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Lists the users that the viewer may know of. Order and some filters apply only for administrators, and are ignored for
 * others.
 */
export function listUsers(
  database: Database,
  filter: ListUsers,
  paging: Paging,
  viewer: Viewer,
): Promise<Rows<User>> {
  const forAdministrator = viewer?.is_admin ?? false
  const matching = usersMatching(database, filter, viewer)
  const { order_by = 'id', sort = 'desc' } = forAdministrator ? filter : {}
  if (order_by === 'updated_at') return listByChange(database, matching, paging, sort)
  return listRows(database, matching, paging, { table: 'user', column: order_by, direction: sort })
}

/** The time of the last change is in the profile, so the page is found in the index of the profiles. */
async function listByChange(
  database: Database,
  matching: ReturnType<typeof usersMatching>,
  paging: Paging,
  direction: 'asc' | 'desc',
): Promise<Rows<User>> {
  const profiles = await database
    .selectFrom('user_profile')
    .select('user_profile.user_id')
    .where(({ exists }) =>
      exists(matching.select('user.id').where('user.id', '=', sql.ref<number>('user_profile.user_id'))),
    )
    .orderBy('user_profile.updated_at', direction)
    .orderBy('user_profile.user_id', direction)
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  const users = await usersById(
    database,
    profiles.map(({ user_id }) => user_id),
  )
  const rows = profiles.flatMap(({ user_id }) => users.get(user_id) ?? [])
  return { rows, total: await countAround(database, matching, paging, profiles.length) }
}

function usersMatching(database: Database, filter: ListUsers, viewer: Viewer) {
  const forAdministrator = viewer?.is_admin ?? false
  let query = usersCalled(database, filter, forAdministrator)
  if (!forAdministrator) query = query.where(isKnownTo(viewer))
  if (filter.active) query = query.where('user.state', '=', 'active').where('user.kind', '!=', 'ghost')
  if (filter.blocked) query = query.where('user.state', 'in', ['blocked', 'ldap_blocked'])
  if (filter.external) query = query.where('user.external', '=', true)
  if (filter.exclude_external) query = query.where('user.external', '=', false)
  if (filter.exclude_internal) query = query.where('user.kind', '!=', 'ghost')
  if (filter.without_project_bots) query = query.where('user.kind', '!=', 'bot')
  if (filter.humans) query = query.where('user.kind', '=', 'human')
  if (filter.admins) query = query.where('user.is_admin', '=', true)
  if (filter.created_after) query = query.where('user.created_at', '>', Date.parse(filter.created_after))
  if (filter.created_before) query = query.where('user.created_at', '<', Date.parse(filter.created_before))
  if (filter.without_projects) {
    query = query.where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('member').select('member.id').whereRef('member.user_id', '=', 'user.id'))),
    )
  }
  if (!forAdministrator) return query
  if (filter.state) query = query.where('user.state', '=', filter.state)
  if (filter.two_factor) query = query.where(hasSecondFactor(filter.two_factor === 'enabled'))
  for (const [key, value] of Object.entries(filter.custom_attributes ?? {})) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('custom_attribute as attribute')
          .select('attribute.id')
          .whereRef('attribute.user_id', '=', 'user.id')
          .where('attribute.key', '=', key)
          .where('attribute.value', '=', value),
      ),
    )
  }
  return query
}

function hasSecondFactor(wanted: boolean): RawBuilder<SqlBool> {
  const exists = sql<SqlBool>`(exists (select 1 from totp_factor
    where totp_factor.user_id = "user".id and totp_factor.confirmed_at is not null)
    or exists (select 1 from passkey where passkey.user_id = "user".id))`
  return wanted ? exists : sql<SqlBool>`not ${exists}`
}

/** The bot of a token is named after it: only users who see its project or group know that it exists. */
function isKnownTo(viewer: Viewer): RawBuilder<SqlBool> {
  return sql<SqlBool>`("user".kind <> 'bot' or exists (
    select 1 from member join project on project.id = member.project_id
      where member.user_id = "user".id and ${maySeeProject(viewer)})
    or exists (select 1 from member join namespace on namespace.id = member.group_id
      where member.user_id = "user".id and ${maySeeGroup(viewer)}))`
}

/** Filters by username and by external identity. */
function usersCalled(
  database: Database,
  { username, search, provider, extern_uid }: ListUsers,
  forAdministrator: boolean,
) {
  let query = database.selectFrom('user')
  if (username !== undefined) query = query.where(({ ref }) => sameText(ref('user.username'), username))
  if (search) {
    // Only the whole address matches, and a private one only for administrators: it would name its account.
    const addressed = forAdministrator
      ? sql<SqlBool>`"user".id in (select id from "user" where lower(email) = lower(${search}))`
      : sql<SqlBool>`"user".id in (select user_id from user_profile where lower(public_email) = lower(${search}))`
    query = query.where(({ or, ref }) =>
      or([anyContainsText([ref('user.name'), ref('user.username')], search), addressed]),
    )
  }
  if (provider !== undefined && extern_uid !== undefined) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('user_identity as identity')
          .select('identity.id')
          .whereRef('identity.user_id', '=', 'user.id')
          .where('identity.provider', '=', provider)
          .where('identity.extern_uid', '=', extern_uid),
      ),
    )
  }
  return query
}
