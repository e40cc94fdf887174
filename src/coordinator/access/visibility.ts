import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { isLive } from './is-live.js'

/** Who looks, as far as lists care; undefined = a caller without a credential. */
export type Viewer = { id: number; is_admin: boolean; external: boolean } | undefined

export type Openness = 'private' | 'internal' | 'public'

/** What is open to `viewer` without being a member. */
export function opennessFor(viewer: Viewer): Openness[] {
  return viewer && !viewer.external ? ['public', 'internal'] : ['public']
}

/**
 * Whether the viewer may see the project of a row; `project` is the name that the query gives the table. The level does
 * not count here: whoever is a member at all sees that there is a project (API, A15).
 */
export function maySeeProject(viewer: Viewer, project = 'project'): RawBuilder<SqlBool> {
  if (viewer?.is_admin) return sql<SqlBool>`true`
  const isOpen = sql<SqlBool>`${sql.ref(`${project}.visibility`)} in (${sql.join(opennessFor(viewer))})`
  return viewer ? sql<SqlBool>`(${isOpen} or ${isMemberOfProject(viewer.id, 1, project)})` : isOpen
}

/**
 * Whether the user is a member of the project of a row, with at least that level: directly, by a group that it lies in,
 * by a share, or because it is in the user's personal namespace.
 */
export function isMemberOfProject(userId: number, least: number, project = 'project'): RawBuilder<SqlBool> {
  const id = sql.ref(`${project}.id`)
  const namespace = sql.ref(`${project}.namespace_id`)
  return sql<SqlBool>`(
    ${namespace} in (${groupIdsWithLevel(userId, least)})
    or ${namespace} in (select id from namespace where kind = 'user' and owner_id = ${userId})
    or ${id} in (${projectIdsWithLevel(userId, least)}))`
}

/** Whether the viewer may see the group of a row; `group` is the name that the query gives the table. */
export function maySeeGroup(viewer: Viewer, group = 'namespace'): RawBuilder<SqlBool> {
  if (viewer?.is_admin) return sql<SqlBool>`true`
  const isOpen = sql<SqlBool>`${sql.ref(`${group}.visibility`)} in (${sql.join(opennessFor(viewer))})`
  return viewer ? sql<SqlBool>`(${isOpen} or ${isMemberOfGroup(viewer.id, 1, group)})` : isOpen
}

/** Whether the user is a member of the group of a row, with at least that level, inherited ones and shares included. */
export function isMemberOfGroup(userId: number, least: number, group = 'namespace'): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${group}.id`)} in (${groupIdsWithLevel(userId, least)})`
}

/** Selects the ids of all groups in which the user has at least that level. */
export function groupIdsWithLevel(userId: number, least: number): RawBuilder<unknown> {
  const now = Date.now()
  return sql`
    select group_tree.group_id from member
      join group_tree on group_tree.ancestor_id = member.group_id
      where member.user_id = ${userId} and member.group_id is not null
        and member.access_level >= ${least} and ${isLive('member', now)}
    union all
    select below.group_id ${sharesOf(userId, least, now)}
      join group_tree as below on below.ancestor_id = share.group_id`
}

/** Selects the ids of projects that the user reaches otherwise than by the group they lie in. */
function projectIdsWithLevel(userId: number, least: number): RawBuilder<unknown> {
  const now = Date.now()
  return sql`
    select project_id from member
      where user_id = ${userId} and project_id is not null and access_level >= ${least} and ${isLive('member', now)}
    union all
    select share.project_id ${sharesOf(userId, least, now)} and share.project_id is not null`
}

/** What groups that the user is in may use: of a share's level and the user's own the lower one counts. */
function sharesOf(userId: number, least: number, now: number): RawBuilder<unknown> {
  return sql`from member
    join group_tree on group_tree.ancestor_id = member.group_id
      and member.user_id = ${userId} and member.group_id is not null
      and member.access_level >= ${least} and ${isLive('member', now)}
    join share on share.with_group_id = group_tree.group_id
      and share.group_access >= ${least} and ${isLive('share', now)}`
}
