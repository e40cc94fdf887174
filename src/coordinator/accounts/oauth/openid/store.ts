import { sql } from 'kysely'

import type { User } from '../../../access/caller.js'
import { isLive } from '../../../access/is-live.js'
import { LEVELS } from '../../../access/permissions.js'
import type { Database } from '../../../database/connect.js'

/** A user with what the profile says. */
export type Person = Pick<User, 'id' | 'username' | 'name' | 'email' | 'avatar'> & {
  website_url: string | null
  confirmed_at: number | null
  public_email: string | null
}

/** Throws when there is no such user. */
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

/** The groups that somebody is a member of themselves, in the order of their paths. */
export function directGroups(database: Database, userId: number): Promise<GroupOfUser[]> {
  return database
    .selectFrom('member')
    .innerJoin('namespace', 'namespace.id', 'member.group_id')
    .select(['namespace.full_path', 'member.access_level'])
    .where('member.user_id', '=', userId)
    .where('member.access_level', '>=', LEVELS.guest)
    .where(isLive('member', Date.now()))
    .orderBy('namespace.full_path')
    .execute()
}

/** Paths of those and of all groups in them. */
export async function pathsOfGroups(database: Database, userId: number): Promise<string[]> {
  const { rows } = await sql<{ full_path: string }>`
    select distinct namespace.full_path from member
      join group_tree on group_tree.ancestor_id = member.group_id
      join namespace on namespace.id = group_tree.group_id
      where member.user_id = ${userId} and member.access_level >= ${LEVELS.guest}
        and ${isLive('member', Date.now())}
      order by namespace.full_path`.execute(database)
  return rows.map(({ full_path }) => full_path)
}
