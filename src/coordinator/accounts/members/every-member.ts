import { type AliasableExpression, type Expression, type RawBuilder, sql, type SqlBool } from 'kysely'

import { isLive } from '../../access/is-live.js'
import { maySeeGroup, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { ownerColumn } from '../../database/stores/member-store.js'
import { type Source } from './source.js'

/*
 * Users are members directly, by ancestor groups, by shares with groups that the viewer may see, or as owner
 * of the personal namespace (API, C3). A page of members is read in two steps. The first step finds the users
 * of the page from indexes in membership order. The second step reads the memberships of only these users.
 */

/** The effective membership of one user. */
export interface Membership {
  user_id: number
  access_level: number
  expires_at: number | null
  created_at: number
  created_by_id: number | null
}

type Condition = Expression<SqlBool>

/**
 * Up to this number of groups, each group gives its members in index order. The members of further groups are
 * sorted for each page.
 */
const GROUPS_IN_ORDER = 8

/** IDs of the groups whose members are members here, nearest first. */
export async function groupsOfMembers(database: Database, source: Source, viewer: Viewer): Promise<number[]> {
  const { rows } = await sql<{ group_id: number }>`
    select group_id from (${places(source, viewer)}) as place
      group by group_id order by min(distance), group_id`.execute(database)
  return rows.map(({ group_id }) => group_id)
}

/** Selects the `user_id` of each direct member once; the conditions refer to columns of `user`. */
export function directMemberIds(source: Source, conditions: Condition[]): RawBuilder<unknown> {
  return idsFrom(sql`member`, [isDirect(source, 'candidate'), isLive('candidate', Date.now())], conditions)
}

/** As `directMemberIds`, for all members; `groups` is the result of `groupsOfMembers`. */
export function everyMemberId(
  source: Source,
  groups: number[],
  conditions: Condition[],
): RawBuilder<unknown> {
  const far = groups.slice(GROUPS_IN_ORDER)
  const inherited = groups
    .slice(0, GROUPS_IN_ORDER)
    .map((id, index) => membersOfGroups(source, [id], groups.slice(0, index), conditions))
  const branches = [
    directMemberIds(source, conditions),
    ...inherited,
    ...(far.length > 0 ? [membersOfGroups(source, far, groups.slice(0, GROUPS_IN_ORDER), conditions)] : []),
    ownerOfNamespace(source, groups, conditions),
  ]
  return sql.join(branches, sql` union all `)
}

/** Leaves out users who are also members of a nearer group. */
function membersOfGroups(
  source: Source,
  ids: number[],
  nearer: number[],
  conditions: Condition[],
): RawBuilder<unknown> {
  const found = [isInGroups(ids, 'candidate'), isLive('candidate', Date.now()), isNotNearer(source, nearer)]
  const all = idsFrom(sql`member`, found, conditions)
  return ids.length > 1
    ? sql`select user_id from (select distinct user_id from (${all}) as more order by user_id) as further`
    : all
}

function ownerOfNamespace(source: Source, groups: number[], conditions: Condition[]): RawBuilder<unknown> {
  const owner = sql`(
    select owner_id as user_id from namespace
      where id = ${source.namespaceId} and kind = 'user' and owner_id is not null)`
  return idsFrom(owner, [isNotNearer(source, groups)], conditions)
}

/** Each branch is ordered: PostgreSQL merges ordered branches, and would sort others. */
function idsFrom(
  rows: RawBuilder<unknown>,
  found: Condition[],
  conditions: Condition[],
): RawBuilder<unknown> {
  const users = conditions.length > 0 ? sql`join "user" on "user".id = candidate.user_id` : sql``
  const where = sql.join([...found, ...conditions], sql` and `)
  return sql`select user_id from (
    select candidate.user_id from ${rows} as candidate ${users} where ${where} order by candidate.user_id) as branch`
}

function isDirect(source: Source, row: string): Condition {
  return sql`${sql.ref(`${row}.${ownerColumn(source)}`)} = ${source.id}`
}

function isInGroups(ids: number[], row: string): Condition {
  return sql`${sql.ref(`${row}.group_id`)} in (${sql.join(ids)})`
}

/** Whether the candidate is neither a direct member nor a member of one of these groups. */
function isNotNearer(source: Source, groups: number[]): Condition {
  const ways = [isDirect(source, 'nearer'), ...(groups.length > 0 ? [isInGroups(groups, 'nearer')] : [])]
  const none = ways.map(
    (way) => sql<SqlBool>`not exists (
      select 1 from member as nearer
        where nearer.user_id = candidate.user_id and ${way} and ${isLive('nearer', Date.now())})`,
  )
  return sql`${sql.join(none, sql` and `)}`
}

/** Effective memberships of these users: the highest level and, at equal levels, the nearest membership. */
export function everyMembership(
  source: Source,
  viewer: Viewer,
  userIds: number[],
): AliasableExpression<Membership> {
  const ids = sql.join(userIds)
  return sql<Membership>`(
    select user_id, access_level, expires_at, created_at, created_by_id from (
      select candidate.*, row_number() over (partition by user_id order by access_level desc, distance) as place
        from (
          ${direct(source, ids)} union all ${inherited(source, viewer, ids)} union all ${personal(source, ids)}
        ) as candidate
    ) as ranked where place = 1)`
}

/** As `everyMembership`, for direct members only. */
export function directMembership(source: Source, userIds: number[]): AliasableExpression<Membership> {
  return sql<Membership>`(${direct(source, sql.join(userIds))})`
}

/** One of the paths by which a user is a member. */
export interface MembershipPath {
  user_id: number
  /** Level here. */
  access_level: number
  /** Level in the group from which it comes. */
  own_level: number
  /** 0 for direct members, 1 for those of ancestor groups, 2 for invited groups, 3 for owners of the personal namespace. */
  distance: number
  /** The group that gives the level: an ancestor, or the invited group. */
  group_id: number | null
  name: string | null
  full_path: string | null
}

/** Every path by which these users are members. */
export function membershipPaths(
  source: Source,
  viewer: Viewer,
  userIds: number[],
): RawBuilder<MembershipPath> {
  const ids = sql.join(userIds)
  return sql<MembershipPath>`
    select path.*, namespace.name, namespace.full_path from (
      select user_id, access_level, access_level as own_level, 0 as distance, cast(null as bigint) as group_id
        from (${direct(source, ids)}) as direct
      union all
      select member.user_id, ${LEVEL}, member.access_level, place.distance, place.through_id
        ${membersIn(source, viewer, ids)}
      union all
      select user_id, access_level, access_level, 3, cast(null as bigint)
        from (${personal(source, ids)}) as personal
    ) as path left join namespace on namespace.id = path.group_id`
}

const COLUMNS = sql.raw('member.expires_at, member.created_at, member.created_by_id')

/** The level that a member has by `membersIn`: its level in the group, or the highest that the group gives if that is lower. */
const LEVEL = sql.raw(
  'case when member.access_level < place.highest then member.access_level else place.highest end',
)

function direct(source: Source, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select member.user_id, member.access_level, ${COLUMNS}, 0 as distance from member
      where ${isDirect(source, 'member')} and member.user_id in (${ids}) and ${isLive('member', Date.now())}`
}

function inherited(source: Source, viewer: Viewer, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select member.user_id, ${LEVEL}, ${COLUMNS}, place.distance ${membersIn(source, viewer, ids)}`
}

/** The members of each place of `places`. */
function membersIn(source: Source, viewer: Viewer, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      from (${places(source, viewer)}) as place
      join member on member.group_id = place.group_id and member.user_id in (${ids})
        and ${isLive('member', Date.now())}`
}

function personal({ namespaceId }: Source, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select owner_id as user_id, 50 as access_level, cast(null as bigint), created_at, cast(null as bigint), 3 from namespace
      where id = ${namespaceId} and kind = 'user' and owner_id in (${ids})`
}

/**
 * Selects the groups whose members are members here, with their distance, the maximum level that they give, and the
 * group through which they do: an invited group, for it and the groups above it.
 */
function places({ kind, id, namespaceId }: Source, viewer: Viewer): RawBuilder<unknown> {
  const itself = kind === 'group' ? id : 0
  const isOfProject = kind === 'project' ? sql`or share.project_id = ${id}` : sql``
  return sql`
    select ancestor_id as group_id, 50 as highest, 1 as distance, ancestor_id as through_id from group_tree
      where group_id = ${namespaceId} and ancestor_id <> ${itself}
    union all
    select invited_tree.ancestor_id, share.group_access, 2, share.with_group_id from share
      join namespace as invited on invited.id = share.with_group_id and ${maySeeGroup(viewer, 'invited')}
      join group_tree as invited_tree on invited_tree.group_id = share.with_group_id
      where (share.group_id in (select ancestor_id from group_tree where group_id = ${namespaceId}) ${isOfProject})
        and ${isLive('share', Date.now())}`
}
