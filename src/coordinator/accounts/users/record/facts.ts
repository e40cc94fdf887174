import type { Selectable } from 'kysely'

import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { usersWithFactor } from '../../../database/stores/second-factor-store.js'
import type { UserIdentityTable, UserProfileTable } from '../../../database/tables/users.js'
import { closedAccounts } from '../../../http/rate-limits/shared-counts.js'

/** Facts of user records besides the user rows. */
export interface UserFacts {
  profile: Selectable<UserProfileTable>
  identities: Selectable<UserIdentityTable>[]
  customAttributes: { key: string; value: string }[]
  /** ID of the personal namespace. */
  namespaceId: number | null
  createdBy: User | null
  /** Whether sign-in by password is temporarily locked. */
  isLocked: boolean
  hasSecondFactor: boolean
}

/** Followers of a user. */
export interface Following {
  followers: number
  following: number
  is_followed?: boolean
}

/** Loads the facts of a page of users, in seven queries whatever the length of the page. */
export async function loadUserFacts(database: Database, users: User[]): Promise<(user: User) => UserFacts> {
  const ids = users.map(({ id }) => id)
  if (ids.length === 0) return missing
  const profiles = await database.selectFrom('user_profile').selectAll().where('user_id', 'in', ids).execute()
  const identities = await database
    .selectFrom('user_identity')
    .selectAll()
    .where('user_id', 'in', ids)
    .orderBy('id')
    .execute()
  const customAttributes = await database
    .selectFrom('custom_attribute')
    .select(['user_id', 'key', 'value'])
    .where('user_id', 'in', ids)
    .orderBy('id')
    .execute()
  const namespaces = await namespacesOf(database, ids)
  const creators = await usersOf(
    database,
    profiles.map(({ created_by_id }) => created_by_id).filter((id) => id !== null),
  )
  const locked = await closedAccounts(database, ids)
  const withFactor = await usersWithFactor(database, ids)
  const profileOf = new Map(profiles.map((profile) => [profile.user_id, profile]))
  return (user) => {
    const profile = profileOf.get(user.id) ?? missing(user)
    return {
      profile,
      identities: identities.filter(({ user_id }) => user_id === user.id),
      customAttributes: customAttributes.filter(({ user_id }) => user_id === user.id),
      namespaceId: namespaces.get(user.id) ?? null,
      createdBy: creators.get(profile.created_by_id ?? 0) ?? null,
      isLocked: locked.has(user.id),
      hasSecondFactor: withFactor.has(user.id),
    }
  }
}

function missing(user: User): never {
  throw new TypeError(`User ${user.id} has no profile`)
}

async function namespacesOf(database: Database, ids: number[]): Promise<Map<number | null, number>> {
  const rows = await database
    .selectFrom('namespace')
    .select(['id', 'owner_id'])
    .where('owner_id', 'in', ids)
    .where('kind', '=', 'user')
    .execute()
  return new Map(rows.map(({ id, owner_id }) => [owner_id, id]))
}

async function usersOf(database: Database, ids: number[]): Promise<Map<number, User>> {
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Numbers of followers and followed users, and whether the viewer follows the user. */
export async function loadFollowing(
  database: Database,
  user: User,
  viewer: User | undefined,
): Promise<Following> {
  const { followers, following } = await database
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('user_follow')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('followed_id', '=', user.id)
        .as('followers'),
      selectFrom('user_follow')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('follower_id', '=', user.id)
        .as('following'),
    ])
    .executeTakeFirstOrThrow()
  const is_followed = viewer && (await isFollowing(database, viewer.id, user.id))
  return { followers: followers ?? 0, following: following ?? 0, ...(viewer && { is_followed }) }
}

async function isFollowing(database: Database, followerId: number, followedId: number): Promise<boolean> {
  const row = await database
    .selectFrom('user_follow')
    .select('follower_id')
    .where('follower_id', '=', followerId)
    .where('followed_id', '=', followedId)
    .executeTakeFirst()
  return row !== undefined
}
