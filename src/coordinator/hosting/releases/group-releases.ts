import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Group, User } from '../../access/caller.js'
import { withMemberships } from '../../access/memberships.js'
import { isMemberOfProject, maySeeProject, opennessFor } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { countRows, MAX_COUNTED } from '../../database/count-rows.js'
import { namedGroupsIn } from '../../database/stores/namespace-store.js'
import type { Paging } from '../../http/page.js'
import { type Rows, rowsOfPage } from '../../http/paging/list-rows.js'
import type { ReleaseOfProject } from './describe-releases.js'

/**
 * A page of the readable releases of projects in the group and its subgroups; the latest first by default.
 */
export async function listGroupReleases(
  database: Database,
  group: Pick<Group, 'id'>,
  caller: User | undefined,
  { sort = 'desc' }: { sort?: 'asc' | 'desc' },
  paging: Paging,
): Promise<Rows<ReleaseOfProject>> {
  const viewer = await withMemberships(database, caller)
  const projects = projectsBelow(database, await namedGroupsIn(database, group.id), viewer)
  const total = await countRows(database, releasesOf(database, projects))
  const isEarly = paging.offset + paging.perPage <= MAX_COUNTED
  // With many releases, one of the first pages is filled long before all of them are collected.
  const releases =
    isEarly && total > MAX_COUNTED ? metReleases(database, projects) : releasesOf(database, projects)
  const order = { table: 'release', column: 'released_at', direction: sort } as const
  const rows = await rowsOfPage(database, releases, paging, order)
  const found = await projectsById(database, viewer, [...new Set(rows.map(({ project_id }) => project_id))])
  const released = rows.flatMap((row) => {
    const project = found.get(row.project_id)
    return project ? [{ row, ...project }] : []
  })
  return { rows: released, total }
}

/** Projects whose releases the caller may read. */
function projectsBelow(database: Database, groupIds: RawBuilder<number>, viewer: User | undefined) {
  return database
    .selectFrom('project')
    .where('project.namespace_id', 'in', groupIds)
    .where(() => maySeeProject(viewer))
    .where(() => isShown(viewer, 'project.releases_access_level', ACCESS_LEVELS.guest))
}

type Projects = ReturnType<typeof projectsBelow>

/** Query that starts from the projects. */
function releasesOf(database: Database, projects: Projects) {
  return projects.innerJoin('release', 'release.project_id', 'project.id')
}

/**
 * Reads these rows with a query that starts from the releases in their order. The limit keeps PostgreSQL to this plan:
 * without it, the planner underestimates the number of groups and starts from them.
 */
function metReleases(database: Database, projects: Projects) {
  const its = projects.select('project.id').where(sql<SqlBool>`project.id = release.project_id`)
  return database.selectFrom('release').where(({ exists }) => exists(its.limit(1).offset(0)))
}

/** A feature with the access level `private` is visible only to members of at least this level. */
function isShown(viewer: User | undefined, column: string, level: number): RawBuilder<SqlBool> {
  const feature = sql.ref(column)
  return sql<SqlBool>`(${feature} in ('enabled', 'public') or (${feature} = 'private' and ${isMember(viewer, level)}))`
}

/**
 * Members read code from the reporter role on; other users read it if the visibility of the project allows it
 * (API, A15).
 */
function readsCode(viewer: User | undefined): RawBuilder<SqlBool> {
  const isOpen = sql<SqlBool>`${sql.ref('project.visibility')} in (${sql.join(opennessFor(viewer))})`
  return sql<SqlBool>`((${isOpen} or ${isMember(viewer, ACCESS_LEVELS.reporter)})
    and ${isShown(viewer, 'project.repository_access_level', ACCESS_LEVELS.guest)})`
}

/** Milestones are shown with the issues or with the merge requests of a project. */
function readsMilestones(viewer: User | undefined): RawBuilder<SqlBool> {
  const [issues, requests] = (['issues', 'merge_requests'] as const).map((feature) =>
    isShown(viewer, `project.${feature}_access_level`, ACCESS_LEVELS.guest),
  )
  return sql<SqlBool>`(${issues} or ${requests})`
}

function isMember(viewer: User | undefined, level: number): RawBuilder<SqlBool> {
  if (!viewer) return sql<SqlBool>`false`
  return viewer.is_admin ? sql<SqlBool>`true` : isMemberOfProject(viewer, level)
}

/** Projects by ID, and whether the caller may read the code and the milestones of each. */
async function projectsById(database: Database, viewer: User | undefined, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const projects = await database
    .selectFrom('project')
    .selectAll()
    .select(() => [readsCode(viewer).as('reads_code'), readsMilestones(viewer).as('reads_milestones')])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    projects.map(({ reads_code, reads_milestones, ...project }) => [
      project.id,
      { project, showsCode: Boolean(reads_code), showsMilestones: Boolean(reads_milestones) },
    ]),
  )
}
