import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { Project, User } from '../../http/operation.js'
import { isoDateOrNull } from '../../http/present-time.js'
import { pathsAbove } from '../../path-name.js'
import { isLive } from '../../standing/is-live.js'
import { maySeeGroup, maySeeProject, type Viewer } from '../../standing/reach.js'
import type { FullProject, Statistics } from './schema.js'
import type { Namespace } from './store.js'
import type { ProjectMeasureTable } from './table.js'

/** Each of these answers for a whole page of projects with one query. */

export async function namespacesOf(database: Database, projects: Project[]): Promise<Map<number, Namespace>> {
  const ids = [...new Set(projects.map((project) => project.namespace_id))]
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('namespace').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Names of namespaces and of all that they lie in, by their addresses in lower case. */
export async function namesByPath(database: Database, namespaces: Namespace[]): Promise<Map<string, string>> {
  const above = namespaces.flatMap(({ full_path }) => pathsAbove(full_path.toLowerCase()))
  const names = new Map(namespaces.map(({ full_path, name }) => [full_path.toLowerCase(), name]))
  const unknown = [...new Set(above)].filter((path) => !names.has(path))
  if (unknown.length === 0) return names
  const rows = await database
    .selectFrom('namespace')
    .select(['full_path', 'name'])
    .where(sql`lower(full_path)`, 'in', unknown)
    .execute()
  for (const { full_path, name } of rows) names.set(full_path.toLowerCase(), name)
  return names
}

export async function ownersOf(database: Database, namespaces: Namespace[]): Promise<Map<number, User>> {
  const ids = namespaces.map(({ owner_id }) => owner_id).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('user').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** In the order in which they were given. */
export async function topicsOfProjects(database: Database, ids: number[]): Promise<Map<number, string[]>> {
  const rows = await database
    .selectFrom('project_topic')
    .select(['project_id', 'name'])
    .where('project_id', 'in', ids)
    .orderBy('position')
    .execute()
  return groupBy(rows, ({ name }) => name)
}

export async function starCounts(database: Database, ids: number[]): Promise<Map<number, number>> {
  const rows = await database
    .selectFrom('project_star')
    .select(({ fn }) => ['project_id', fn.countAll<number>().as('count')])
    .where('project_id', 'in', ids)
    .groupBy('project_id')
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.count]))
}

export async function forkCounts(database: Database, ids: number[]): Promise<Map<number, number>> {
  const rows = await database
    .selectFrom('project')
    .select(({ fn }) => ['forked_from_id', fn.countAll<number>().as('count')])
    .where('forked_from_id', 'in', ids)
    .groupBy('forked_from_id')
    .execute()
  return new Map(rows.map((row) => [row.forked_from_id ?? 0, row.count]))
}

/** What projects were made of, as far as the viewer may see it. */
export async function forkSources(
  database: Database,
  projects: Project[],
  viewer: Viewer,
): Promise<Map<number, Project>> {
  const ids = projects.map(({ forked_from_id }) => forked_from_id).filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('project')
    .selectAll()
    .where('id', 'in', ids)
    .where(maySeeProject(viewer))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export async function measuresOf(
  database: Database,
  ids: number[],
): Promise<Map<number, ProjectMeasureTable>> {
  const rows = await database
    .selectFrom('project_measure')
    .selectAll()
    .where('project_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.project_id, row]))
}

export async function attributesOf(
  database: Database,
  ids: number[],
): Promise<Map<number, { key: string; value: string }[]>> {
  const rows = await database
    .selectFrom('custom_attribute')
    .select(['project_id', 'key', 'value'])
    .where('project_id', 'in', ids)
    .orderBy('key')
    .execute()
  return groupBy(rows, ({ key, value }) => ({ key, value }))
}

/** Groups that the viewer may see with which projects are shared. */
export async function sharesOf(
  database: Database,
  ids: number[],
  viewer: Viewer,
): Promise<Map<number, Share[]>> {
  const rows = await database
    .selectFrom('share')
    .innerJoin('namespace', 'namespace.id', 'share.with_group_id')
    .select(['share.project_id', 'namespace.id as group_id', 'namespace.name as group_name'])
    .select(['namespace.full_path', 'share.group_access', 'share.expires_at'])
    .where('share.project_id', 'in', ids)
    .where(isLive('share', Date.now()))
    .where(maySeeGroup(viewer))
    .orderBy('share.id')
    .execute()
  return groupBy(rows, ({ group_id, group_name, full_path, group_access, expires_at }) => ({
    ...{ group_id, group_name, group_full_path: full_path, group_access_level: group_access },
    expires_at: isoDateOrNull(expires_at),
  }))
}

type Share = FullProject['shared_with_groups'][number]

/** The sizes that are known when git was asked last; artifacts and uploads as of now. */
export async function statisticsOf(
  database: Database,
  ids: number[],
  measures: Map<number, ProjectMeasureTable>,
): Promise<Map<number, Statistics>> {
  const artifacts = await sizes(database, 'job_artifact', ids)
  const uploads = await sizes(database, 'project_upload', ids)
  return new Map(
    ids.map((id) => {
      const { commit_count = 0, repository_size = 0 } = measures.get(id) ?? {}
      const job_artifacts_size = artifacts.get(id) ?? 0
      const uploads_size = uploads.get(id) ?? 0
      const storage_size = repository_size + job_artifacts_size + uploads_size
      return [
        id,
        { ...NOT_KEPT, commit_count, storage_size, repository_size, job_artifacts_size, uploads_size },
      ]
    }),
  )
}

const NOT_KEPT = {
  ...{ wiki_size: 0, lfs_objects_size: 0, packages_size: 0, snippets_size: 0 },
  ...{ pipeline_artifacts_size: 0, container_registry_size: 0 },
}

async function sizes(
  database: Database,
  table: 'job_artifact' | 'project_upload',
  ids: number[],
): Promise<Map<number, number>> {
  const rows = await database
    .selectFrom(table)
    // A sum of whole numbers is no whole number to PostgreSQL.
    .select(({ fn, cast }) => ['project_id', cast<number>(fn.sum('size'), 'bigint').as('size')])
    .where('project_id', 'in', ids)
    .groupBy('project_id')
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.size]))
}

function groupBy<Row extends { project_id: number | null }, Value>(
  rows: Row[],
  valueOf: (row: Row) => Value,
): Map<number, Value[]> {
  const groups = new Map<number, Value[]>()
  for (const row of rows) {
    const group = groups.get(row.project_id ?? 0) ?? []
    group.push(valueOf(row))
    groups.set(row.project_id ?? 0, group)
  }
  return groups
}
