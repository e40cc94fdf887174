import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { isLive } from './is-live.js'

/** The namespaces and projects of a user, with the level in each; one can occur more than once. */
interface Memberships {
  /** Groups, those below them, and the personal namespace. */
  namespaces: readonly Reach[]
  /** Projects that are not reached by their namespace. */
  projects: readonly Reach[]
}

interface Reach {
  id: number
  level: number
}

/** A user whose memberships matter. `memberships`: if they were read before (`withMemberships`). */
export interface Member {
  id: number
  memberships?: Memberships | undefined
}

/** The caller, as far as lists depend on it; undefined = an anonymous caller. */
export type Viewer = (Member & { is_admin: boolean; external: boolean }) | undefined

export type Openness = 'private' | 'internal' | 'public'

/** Visibility values that `viewer` may see without a membership. */
export function opennessFor(viewer: Viewer): Openness[] {
  return viewer && !viewer.external ? ['public', 'internal'] : ['public']
}

/**
 * Condition that the viewer may see the project of a row; `project` is the table name in the query. Any
 * membership is sufficient, whatever its level (API, A15). Nobody sees a project that is being deleted.
 */
export function maySeeProject(viewer: Viewer, project = 'project'): RawBuilder<SqlBool> {
  const exists = sql<SqlBool>`${sql.ref(`${project}.deletion_started_at`)} is null`
  if (viewer?.is_admin) return exists
  const isOpen = sql<SqlBool>`${sql.ref(`${project}.visibility`)} in (${sql.join(opennessFor(viewer))})`
  return viewer
    ? sql<SqlBool>`(${exists} and (${isOpen} or ${isMemberOfProject(viewer, 1, project)}))`
    : sql<SqlBool>`(${exists} and ${isOpen})`
}

/**
 * Condition that the user is a member of the project of a row, with at least this level. It includes
 * memberships by ancestor groups, by shares, and by the personal namespace.
 */
export function isMemberOfProject(
  { id: userId, memberships }: Member,
  least: number,
  project = 'project',
): RawBuilder<SqlBool> {
  const id = sql.ref(`${project}.id`)
  const namespace = sql.ref(`${project}.namespace_id`)
  if (memberships) {
    const { namespaces, projects } = memberships
    const conditions = [...isAmong(namespace, namespaces, least), ...isAmong(id, projects, least)]
    return conditions.length > 0 ? sql<SqlBool>`(${sql.join(conditions, sql` or `)})` : sql<SqlBool>`false`
  }
  return sql<SqlBool>`(
    ${namespace} in (${groupIdsWithLevel(userId, least)})
    or ${namespace} in (select id from namespace where kind = 'user' and owner_id = ${userId})
    or ${id} in (${projectIdsWithLevel(userId, least)}))`
}

/** No condition if none of them has the level: with `or false`, SQLite would use no index. */
function isAmong(
  column: RawBuilder<unknown>,
  reached: readonly Reach[],
  least: number,
): RawBuilder<SqlBool>[] {
  const ids = new Set(reached.filter(({ level }) => level >= least).map(({ id }) => id))
  return ids.size === 0 ? [] : [sql<SqlBool>`${column} in (${sql.join([...ids])})`]
}

/** Condition that the viewer may see the group of a row; `group` is the table name in the query. */
export function maySeeGroup(viewer: Viewer, group = 'namespace'): RawBuilder<SqlBool> {
  const exists = isNotBeingDeleted(group)
  if (viewer?.is_admin) return exists
  const isOpen = sql<SqlBool>`${sql.ref(`${group}.visibility`)} in (${sql.join(opennessFor(viewer))})`
  return viewer
    ? sql<SqlBool>`(${exists} and (${isOpen} or ${isMemberOfGroup(viewer.id, 1, group)}))`
    : sql<SqlBool>`(${exists} and ${isOpen})`
}

/** Condition that no deletion of the group or of a group above it has begun; `group` is the table name in the query. */
export function isNotBeingDeleted(group: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${group}.id`)} not in (select group_tree.group_id from group_removal
    join group_tree on group_tree.ancestor_id = group_removal.group_id)`
}

/**
 * Condition that the user is a member of the group of a row, with at least this level, including inherited
 * memberships and shares.
 */
export function isMemberOfGroup(userId: number, least: number, group = 'namespace'): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${group}.id`)} in (${groupIdsWithLevel(userId, least)})`
}

/** Selects the IDs of all groups in which the user has at least this level. */
function groupIdsWithLevel(userId: number, least: number): RawBuilder<unknown> {
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

/** Selects the IDs of projects to which the user has access other than by their group. */
function projectIdsWithLevel(userId: number, least: number): RawBuilder<unknown> {
  const now = Date.now()
  return sql`
    select project_id from member
      where user_id = ${userId} and project_id is not null and access_level >= ${least} and ${isLive('member', now)}
    union all
    select share.project_id ${sharesOf(userId, least, now)} and share.project_id is not null`
}

/** Shares with groups of the user; the lower one of the share level and the membership level applies. */
export function sharesOf(userId: number, least: number, now: number): RawBuilder<unknown> {
  return sql`from member
    join group_tree on group_tree.ancestor_id = member.group_id
      and member.user_id = ${userId} and member.group_id is not null
      and member.access_level >= ${least} and ${isLive('member', now)}
    join share on share.with_group_id = group_tree.group_id
      and share.group_access >= ${least} and ${isLive('share', now)}`
}
