import { sql } from 'kysely'

import { ACCESS_LEVELS } from '../../../access/access-levels.js'
import type { User } from '../../../access/caller.js'
import { isLive } from '../../../access/is-live.js'
import type { Database } from '../../../database/connect.js'

/** A user with profile fields. */
export type Person = Pick<User, 'id' | 'username' | 'name' | 'email' | 'avatar'> & {
  website_url: string | null
  confirmed_at: number | null
  public_email: string | null
}

/** Throws if the user does not exist. */
export function readPerson(database: Database, userId: number): Promise<Person> {
  return database
    .selectFrom('user')
    .innerJoin('user_profile as profile', 'profile.user_id', 'user.id')
    .select(['user.id', 'user.username', 'user.name', 'user.email', 'user.avatar'])
    .select(['profile.website_url', 'profile.confirmed_at', 'profile.public_email'])
    .where('user.id', '=', userId)
    .executeTakeFirstOrThrow()
}

export interface GroupOfUser {
  full_path: string
  access_level: number
}

/** Groups of which the user is a direct member, ordered by path. */
export function directGroups(database: Database, userId: number): Promise<GroupOfUser[]> {
  return database
    .selectFrom('member')
    .innerJoin('namespace', 'namespace.id', 'member.group_id')
    .select(['namespace.full_path', 'member.access_level'])
    .where('member.user_id', '=', userId)
    .where('member.access_level', '>=', ACCESS_LEVELS.guest)
    .where(isLive('member', Date.now()))
    .orderBy('namespace.full_path')
    .execute()
}

/** Full paths of these groups and all their descendants. */
export async function pathsOfGroups(database: Database, userId: number): Promise<string[]> {
  const { rows } = await sql<{ full_path: string }>`
    select distinct namespace.full_path from member
      join group_tree on group_tree.ancestor_id = member.group_id
      join namespace on namespace.id = group_tree.group_id
      where member.user_id = ${userId} and member.access_level >= ${ACCESS_LEVELS.guest}
        and ${isLive('member', Date.now())}
      order by namespace.full_path`.execute(database)
  return rows.map(({ full_path }) => full_path)
}
