import type { Caller, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { apiError, notFound } from '../../http/errors.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { presentUser as presentPublicUser } from '../../http/presenters/present-user.js'
import { viewerOf } from '../../http/viewer.js'
import { loadFollowing, loadUserFacts } from './record/facts.js'
import { presentCustomAttributes, presentFullUser, presentUser } from './record/present.js'
import type { FullUser, ListUsers } from './record/schema.js'
import { findUser, listUsers } from './store.js'

export interface UserDeps {
  database: Database
  externalUrl: string
}

/** Throws 404 `404 User Not Found`. */
export async function existingUser(database: Database, id: number): Promise<User> {
  const user = await findUser(database, id)
  if (!user) throw notFound('User')
  return user
}

/**
 * A page of users: administrators see all fields, others the public fields of every user. Throws 403 for
 * anonymous callers unless they look up one username (API, H).
 */
export async function usersPage(
  { database, externalUrl }: UserDeps,
  params: ListUsers,
  caller: Caller,
  paging: Paging,
): Promise<Page> {
  const viewer = viewerOf(caller)
  if (!viewer && params.username === undefined) throw apiError('anonymous_user_list')
  const forAdministrator = viewer?.is_admin ?? false
  const { rows, total } = await listUsers(database, params, paging, viewer)
  if (!forAdministrator) {
    return page(
      rows.map((user) => presentPublicUser(user, externalUrl)),
      total,
    )
  }
  const facts = await loadUserFacts(database, rows)
  const records = rows.map((user) => ({
    ...presentFullUser(user, facts(user), { viewer, externalUrl }),
    ...(params.with_custom_attributes && presentCustomAttributes(facts(user))),
  }))
  return page(records, total)
}

/** One user as visible to the caller; throws 403 for anonymous callers. */
export async function showUser(
  { database, externalUrl }: UserDeps,
  { id, with_custom_attributes }: { id: number; with_custom_attributes?: boolean },
  caller: Caller,
) {
  const viewer = viewerOf(caller)
  if (!viewer) throw apiError('anonymous_user')
  const user = await existingUser(database, id)
  const facts = (await loadUserFacts(database, [user]))(user)
  const following = await loadFollowing(database, user, viewer)
  return {
    ...presentUser(user, { ...facts, following }, { viewer, externalUrl }),
    ...(viewer.is_admin && { highest_role: await highestRole(database, user.id) }),
    ...(viewer.is_admin && with_custom_attributes && presentCustomAttributes(facts)),
  }
}

/** Full record of the user; `viewer` is the user or an administrator. */
export async function fullUser(
  { database, externalUrl }: UserDeps,
  user: User,
  viewer: User,
): Promise<FullUser> {
  const facts = await loadUserFacts(database, [user])
  return presentFullUser(user, facts(user), { viewer, externalUrl })
}

async function highestRole(database: Database, userId: number): Promise<number> {
  const highest = await database
    .selectFrom('member')
    .select('access_level')
    .where('user_id', '=', userId)
    .orderBy('access_level', 'desc')
    .executeTakeFirst()
  return highest?.access_level ?? 0
}

/** Throws 404 for a user who does not exist, or whose profile is private and hidden from the viewer. */
export async function refusePrivateProfile(database: Database, id: number, viewer: User): Promise<void> {
  const profile = await database
    .selectFrom('user_profile')
    .select('private_profile')
    .where('user_id', '=', id)
    .executeTakeFirst()
  const isHidden = profile?.private_profile && id !== viewer.id && !viewer.is_admin
  if (!profile || isHidden) throw notFound('User')
}
