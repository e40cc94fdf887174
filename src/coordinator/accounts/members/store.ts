import { type Expression, sql, type SqlBool } from 'kysely'

import { OWNER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { isLive } from '../../access/is-live.js'
import type { Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { anyContainsText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { countAround, type Rows } from '../../http/paging/list-rows.js'
import {
  directMemberIds,
  directMembership,
  everyMemberId,
  everyMembership,
  groupsOfMembers,
} from './every-member.js'
import type { ListMembers } from './schema.js'
import { type Source } from './source.js'

export interface MemberRow extends User {
  access_level: number
  expires_at: number | null
  joined_at: number
  created_by_id: number | null
}

/** Scope of a member list: direct members, or all members as visible to a viewer. */
export interface MemberScope {
  source: Source
  /** If set, includes inherited members and members by shares. */
  all?: { viewer: Viewer }
}

type MemberFilter = { [Key in keyof ListMembers]: ListMembers[Key] | undefined }

const COLUMNS = [
  'membership.access_level',
  'membership.expires_at',
  'membership.created_at as joined_at',
  'membership.created_by_id',
] as const

export async function listMembers(
  database: Database,
  scope: MemberScope,
  filter: MemberFilter,
  paging: Paging,
): Promise<Rows<MemberRow>> {
  const { source, all } = scope
  const conditions = conditionsOf(filter)
  const ids = all
    ? everyMemberId(source, await groupsOfMembers(database, source, all.viewer), conditions)
    : directMemberIds(source, conditions)
  const matching = database.selectFrom(sql<{ user_id: number }>`(${ids})`.as('candidate'))
  const page = await matching
    .select('user_id')
    .orderBy('user_id')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  const rows = await membersById(
    database,
    scope,
    page.map(({ user_id }) => user_id),
  )
  return { rows, total: await countAround(database, matching, paging, page.length) }
}

/** Members among the users, in order. */
async function membersById(
  database: Database,
  { source, all }: MemberScope,
  userIds: number[],
): Promise<MemberRow[]> {
  if (userIds.length === 0) return []
  const memberships = all ? everyMembership(source, all.viewer, userIds) : directMembership(source, userIds)
  return database
    .selectFrom(memberships.as('membership'))
    .innerJoin('user', 'user.id', 'membership.user_id')
    .selectAll('user')
    .select(COLUMNS)
    .orderBy('user.id')
    .execute()
}

function conditionsOf({ query, user_ids, skip_users, state }: MemberFilter): Expression<SqlBool>[] {
  const name = sql.ref('user.name')
  const username = sql.ref('user.username')
  const id = sql.ref('user.id')
  return [
    ...(query ? [anyContainsText([name, username], query)] : []),
    ...(user_ids?.length ? [sql<SqlBool>`${id} in (${sql.join(user_ids)})`] : []),
    ...(skip_users?.length ? [sql<SqlBool>`${id} not in (${sql.join(skip_users)})`] : []),
    // No member waits for a seat here.
    ...(state === 'awaiting' ? [sql<SqlBool>`1 = 0`] : []),
  ]
}

export async function findMember(
  database: Database,
  scope: MemberScope,
  userId: number,
): Promise<MemberRow | undefined> {
  const [member] = await membersById(database, scope, [userId])
  return member
}

/** The highest membership of the user in an ancestor group, with the name of the group. */
export function inheritedMembership(
  database: Database,
  { kind, id, namespaceId }: Source,
  userId: number,
): Promise<{ access_level: number; name: string } | undefined> {
  return database
    .selectFrom('group_tree')
    .innerJoin('member', 'member.group_id', 'group_tree.ancestor_id')
    .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
    .select(['member.access_level', 'namespace.name'])
    .where('group_tree.group_id', '=', namespaceId)
    .where('group_tree.ancestor_id', '!=', kind === 'group' ? id : 0)
    .where('member.user_id', '=', userId)
    .where(isLive('member', Date.now()))
    .orderBy('member.access_level', 'desc')
    .executeTakeFirst()
}

/** Serializes changes of the owners of a group. */
export async function lockGroup(tx: Transaction, groupId: number): Promise<void> {
  await lockRow(tx, 'namespace', groupId)
}

/** Whether the group or an ancestor has an owner other than by the direct membership of this user. */
export async function hasOtherOwner(tx: Transaction, groupId: number, userId: number): Promise<boolean> {
  const other = await tx
    .selectFrom('group_tree')
    .innerJoin('member', 'member.group_id', 'group_tree.ancestor_id')
    .select('member.id')
    .where('group_tree.group_id', '=', groupId)
    .where(({ or, eb }) => or([eb('member.user_id', '!=', userId), eb('member.group_id', '!=', groupId)]))
    .where('member.access_level', '>=', OWNER)
    .where(isLive('member', Date.now()))
    .executeTakeFirst()
  return other !== undefined
}

export async function isMembershipLocked(database: Database, namespaceId: number): Promise<boolean> {
  const row = await database
    .selectFrom('namespace')
    .select('membership_lock')
    .where('id', '=', namespaceId)
    .executeTakeFirst()
  return row?.membership_lock ?? false
}

/** The owner of a personal namespace owns its projects, with or without a membership. */
export async function ownerIdOfNamespace(database: Database, namespaceId: number): Promise<number | null> {
  const row = await database
    .selectFrom('namespace')
    .select('owner_id')
    .where('id', '=', namespaceId)
    .executeTakeFirst()
  return row?.owner_id ?? null
}
