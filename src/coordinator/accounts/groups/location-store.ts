import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { DEVELOPER, MAINTAINER, OWNER } from '../../access/access-levels.js'
import type { Group, Project, User } from '../../access/caller.js'
import { isLive } from '../../access/is-live.js'
import { isMemberOfGroup, isNotBeingDeleted, maySeeGroup, type Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { searchConditions } from './store.js'

export type Relation = 'direct' | 'inherited'

interface Search {
  search?: string | undefined
}

interface LocationQuery {
  /** Who shares or transfers. */
  user: User
  filter: Search
  paging: Paging
}

/** Groups with which a project, a group, or one above it, is shared, as far as the viewer sees them. */
export function listInvitedGroups(
  database: Database,
  shared: { project: Project } | { group: Group },
  filter: Search & { relation: readonly Relation[]; min_access_level?: number | undefined },
  viewer: Viewer,
  paging: Paging,
): Promise<Rows<NamespaceRow>> {
  const now = Date.now()
  const above =
    'project' in shared
      ? sql`select ancestor_id from group_tree where group_id = ${shared.project.namespace_id}`
      : sql`select ancestor_id from group_tree where group_id = ${shared.group.id} and ancestor_id <> ${shared.group.id}`
  const direct =
    'project' in shared
      ? sql<SqlBool>`share.project_id = ${shared.project.id}`
      : sql<SqlBool>`share.group_id = ${shared.group.id}`
  const ways = [
    ...(filter.relation.includes('direct') ? [direct] : []),
    ...(filter.relation.includes('inherited') ? [sql<SqlBool>`share.group_id in (${above})`] : []),
  ]
  const invited = sql<SqlBool>`namespace.id in (
    select share.with_group_id from share where (${sql.join(ways, sql` or `)}) and ${isLive('share', now)})`
  const least = filter.min_access_level ?? 0
  const conditions = [invited, ...(least > 0 ? [hasLevel(viewer, least)] : [])]
  return listGroupsWhere(database, [...conditions, maySeeGroup(viewer)], filter, paging)
}

/** Groups with which the user may share a project: not those it lies in, nor those with which it is shared. */
export function listShareLocations(
  database: Database,
  project: Project,
  { user, filter, paging }: LocationQuery,
): Promise<Rows<NamespaceRow>> {
  const above = sql`select ancestor_id from group_tree where group_id = ${project.namespace_id}`
  const conditions = [
    hasLevel(user, 10),
    sql<SqlBool>`namespace.id not in (${above})`,
    sql<SqlBool>`namespace.id not in (
      select share.with_group_id from share where share.project_id = ${project.id} and ${isLive('share', Date.now())})`,
    sql<SqlBool>`not exists (
      select 1 from namespace as locked where locked.id in (${above}) and locked.share_with_group_lock = ${true})`,
  ]
  return listGroupsWhere(database, conditions, filter, paging)
}

/** Groups to which the user may transfer a project: those in which the user may create projects. */
export function listProjectTransferLocations(
  database: Database,
  project: Project,
  { user, filter, paging }: LocationQuery,
): Promise<Rows<NamespaceRow>> {
  const mayCreate = sql<SqlBool>`(
    (namespace.project_creation_level = 'developer' and ${isMemberOfGroup(user.id, DEVELOPER)})
    or (namespace.project_creation_level = 'maintainer' and ${isMemberOfGroup(user.id, MAINTAINER)}))`
  const isOther = sql<SqlBool>`namespace.id <> ${project.namespace_id}`
  const conditions = [...(user.is_admin ? [] : [mayCreate]), isOther, isNotBeingDeleted('namespace')]
  return listGroupsWhere(database, conditions, filter, paging)
}

/** Groups to which the user may transfer a group: those in which the user may create subgroups. */
export function listGroupTransferLocations(
  database: Database,
  group: Group,
  { user, filter, paging }: LocationQuery,
): Promise<Rows<NamespaceRow>> {
  const mayCreate = sql<SqlBool>`(
    ${isMemberOfGroup(user.id, OWNER)}
    or (namespace.subgroup_creation_level = 'maintainer' and ${isMemberOfGroup(user.id, MAINTAINER)}))`
  const conditions = [
    ...(user.is_admin ? [] : [mayCreate]),
    sql<SqlBool>`namespace.id not in (select group_id from group_tree where ancestor_id = ${group.id})`,
    sql<SqlBool>`namespace.id <> ${group.parent_id ?? 0}`,
    isNotBeingDeleted('namespace'),
  ]
  return listGroupsWhere(database, conditions, filter, paging)
}

/** Administrators have every level. */
function hasLevel(viewer: Viewer, least: number): RawBuilder<SqlBool> {
  if (viewer?.is_admin) return isNotBeingDeleted('namespace')
  return sql<SqlBool>`(${isNotBeingDeleted('namespace')} and ${isMemberOfGroup(viewer?.id ?? 0, least)})`
}

function listGroupsWhere(
  database: Database,
  conditions: RawBuilder<SqlBool>[],
  { search }: Search,
  paging: Paging,
): Promise<Rows<NamespaceRow>> {
  const matching = database
    .selectFrom('namespace')
    .where('namespace.kind', '=', 'group')
    .where(({ and }) => and([...conditions, ...searchConditions(search)]))
  return listRows(database, matching, paging, { table: 'namespace', column: 'full_path', direction: 'asc' })
}
