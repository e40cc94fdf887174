import { sql } from 'kysely'

import { pathsAbove } from '../../../../addresses/path-name.js'
import type { Project } from '../../../access/caller.js'
import { isLive } from '../../../access/is-live.js'
import { maySeeGroup, maySeeProject, type Viewer } from '../../../access/visibility.js'
import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import { isoDateOrNull } from '../../../http/presenters/present-time.js'
import type { Namespace } from '../store.js'
import type { FullProject, Statistics } from './schema.js'

/* Each of these functions runs one query for a whole page of projects. */

/** Facts of each project besides its own row, and whether more queries are needed. */
const factsByProject = preparedRead((database, { ids, namespaceIds }: FactsHoles) =>
  database
    .selectFrom(subjects(ids, namespaceIds))
    .innerJoin('namespace', 'namespace.id', 'subject.namespace_id')
    .leftJoin('user as owner', 'owner.id', 'namespace.owner_id')
    .leftJoin('project_measure as measure', 'measure.project_id', 'subject.id')
    .leftJoin('wiki', 'wiki.project_id', 'subject.id')
    .select(['subject.id as project_id', 'namespace.id', 'namespace.name', 'namespace.path'])
    .select(['namespace.kind', 'namespace.full_path', 'namespace.parent_id', 'namespace.avatar'])
    .select(['owner.id as owner_id', 'owner.name as owner_name', 'owner.username as owner_username'])
    .select(['owner.avatar as owner_avatar', 'owner.created_at as owner_created_at'])
    .select(['measure.readme_path', 'measure.license_path', 'measure.license_key'])
    .select(['measure.commit_count', 'measure.repository_size', 'wiki.size as wiki_size'])
    .select(({ selectFrom, exists }) => [
      selectFrom('project as fork')
        .whereRef('fork.forked_from_id', '=', 'subject.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('forks'),
      exists(
        selectFrom('project_topic').whereRef('project_topic.project_id', '=', 'subject.id').select('name'),
      ).as('has_topics'),
      exists(selectFrom('share').whereRef('share.project_id', '=', 'subject.id').select('share.id')).as(
        'is_shared',
      ),
    ]),
)

type FactsHoles = { ids: Placeholder<number>[]; namespaceIds: Placeholder<number>[] }

/** The projects as read before, so that one deleted in the meantime still has a record. */
function subjects(ids: Placeholder<number>[], namespaceIds: Placeholder<number>[]) {
  const rows = ids.map(
    (id, index) =>
      sql`select cast(${id} as bigint) as id, cast(${namespaceIds[index]} as bigint) as namespace_id`,
  )
  return sql<{ id: number; namespace_id: number }>`(${sql.join(rows, sql` union all `)})`.as('subject')
}

export type FactsRow = Awaited<ReturnType<typeof factsByProject>>[number]

/** Facts by project ID. */
export async function factsOf(database: Database, projects: Project[]): Promise<Map<number, FactsRow>> {
  const rows = await factsByProject(database, {
    ids: projects.map(({ id }) => id),
    namespaceIds: projects.map(({ namespace_id }) => namespace_id),
  })
  return new Map(rows.map((row) => [row.project_id, row]))
}

/** Names of namespaces and their ancestors, by full path in lower case. */
export async function namesByPath(
  database: Database,
  namespaces: Pick<Namespace, 'full_path' | 'name'>[],
): Promise<Map<string, string>> {
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

/** Topics by project ID, in the order in which they were set. */
export async function topicsOfProjects(database: Database, ids: number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('project_topic')
    .select(['project_id', 'name'])
    .where('project_id', 'in', ids)
    .orderBy('position')
    .execute()
  return groupBy(rows, ({ name }) => name)
}

/** Fork sources that the viewer may see. */
export async function forkSources(
  database: Database,
  projects: Project[],
  viewer: Viewer,
): Promise<Map<number, Project>> {
  const ids = [...new Set(projects.map(({ forked_from_id }) => forked_from_id))].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('project')
    .selectAll()
    .where('id', 'in', ids)
    .where(maySeeProject(viewer))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Groups with which the projects are shared, if the viewer may see them. */
export async function sharesOf(
  database: Database,
  ids: number[],
  viewer: Viewer,
): Promise<Map<number, Share[]>> {
  if (ids.length === 0) return new Map()
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
    group_id,
    group_name,
    group_full_path: full_path,
    group_access_level: group_access,
    expires_at: isoDateOrNull(expires_at),
  }))
}

type Share = FullProject['shared_with_groups'][number]

/** All null until the first statistics are computed. */
export type ProjectSize = Pick<
  FactsRow,
  'readme_path' | 'license_path' | 'license_key' | 'commit_count' | 'repository_size' | 'wiki_size'
>

/** Repository sizes as of the last update; other sizes as of now. */
export async function statisticsOf(
  database: Database,
  statistics: Map<number, Pick<ProjectSize, 'commit_count' | 'repository_size' | 'wiki_size'>>,
): Promise<Map<number, Statistics>> {
  const ids = [...statistics.keys()]
  const artifacts = await sizes(database, 'job_artifact', ids)
  const uploads = await sizes(database, 'project_upload', ids)
  const objects = await sizes(database, 'lfs_object', ids)
  const snippets = await sizes(database, 'snippet', ids)
  return new Map(
    [...statistics].map(([id, measure]) => {
      const commit_count = measure.commit_count ?? 0
      const repository_size = measure.repository_size ?? 0
      const job_artifacts_size = artifacts.get(id) ?? 0
      const uploads_size = uploads.get(id) ?? 0
      const lfs_objects_size = objects.get(id) ?? 0
      const snippets_size = snippets.get(id) ?? 0
      const wiki_size = measure.wiki_size ?? 0
      const inGit = repository_size + wiki_size + snippets_size
      const storage_size = inGit + lfs_objects_size + job_artifacts_size + uploads_size
      return [
        id,
        {
          ...NOT_KEPT,
          commit_count,
          storage_size,
          repository_size,
          wiki_size,
          snippets_size,
          lfs_objects_size,
          job_artifacts_size,
          uploads_size,
        },
      ]
    }),
  )
}

const NOT_KEPT = {
  packages_size: 0,
  pipeline_artifacts_size: 0,
  container_registry_size: 0,
}

async function sizes(
  database: Database,
  table: 'job_artifact' | 'project_upload' | 'lfs_object' | 'snippet',
  ids: number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom(table)
    // The cast is needed because PostgreSQL returns a sum of bigint values as numeric.
    .select(({ fn, cast }) => ['project_id', cast<number>(fn.sum('size'), 'bigint').as('size')])
    .where('project_id', 'in', ids)
    // The row of an expired artifact remains, but it has no file.
    .$if(table === 'job_artifact', (query) => query.where(sql.ref('blob_key'), '!=', ''))
    .groupBy('project_id')
    .execute()
  return new Map(rows.map((row) => [row.project_id ?? 0, row.size]))
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
