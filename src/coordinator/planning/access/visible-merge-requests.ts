import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { User } from '../../access/caller.js'
import { readsEnvironments, readsMergeRequests } from '../../access/planning-visibility.js'
import type { Database } from '../../database/connect.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

/** Query for merge requests that has no `select` yet. */
export type MergeRequests = SelectQueryBuilder<Tables, 'merge_request', object>

export type TargetProjects = ReturnType<typeof readableTargets>

interface ProjectScope {
  /** Only in these groups: a list or a subquery. */
  groupIds?: RawBuilder<number> | undefined
  viewer: User | undefined
  /** True by default. */
  non_archived?: boolean | undefined
  /** Only those whose environments the caller may read, too. */
  withEnvironments?: boolean
}

/** Projects whose merge requests the caller may read: all, or those in some groups. */
export function readableTargets(
  database: Database,
  { groupIds, viewer, non_archived = true, withEnvironments = false }: ProjectScope,
) {
  return (
    database
      .selectFrom('project')
      .where(() => readsMergeRequests(viewer))
      // In these words, they are the condition of an index.
      .where(sql<SqlBool>`project.merge_request_count > 0`)
      .$if(withEnvironments, (query) => query.where(() => readsEnvironments(viewer)))
      .$if(non_archived, (query) => query.where('project.archived', '=', false))
      .$if(groupIds !== undefined, (query) => query.where(sql<SqlBool>`project.namespace_id in ${groupIds}`))
  )
}

/** Query that starts from the projects. */
export function ofEachTarget(projects: TargetProjects): MergeRequests {
  return projects.innerJoin('merge_request', 'merge_request.project_id', 'project.id')
}

/** The same rows, by a query that starts from the merge requests in their order; the limit keeps PostgreSQL to it. */
export function withReadableTarget(database: Database, projects: TargetProjects): MergeRequests {
  const its = projects
    .select('project.id')
    .where(() => sql<SqlBool>`project.id = merge_request.project_id`)
    .limit(1)
    .offset(0)
  return database.selectFrom('merge_request').where(({ exists }) => exists(its))
}

/** Those of the merge requests with these IDs that the caller may see, in the order of their IDs. */
export async function visibleMergeRequests(
  database: Database,
  viewer: User | undefined,
  ids: readonly number[],
): Promise<MergeRequestRow[]> {
  if (ids.length === 0) return []
  return ofEachTarget(readableTargets(database, { viewer, non_archived: false }))
    .selectAll('merge_request')
    .where('merge_request.id', 'in', ids)
    .orderBy('merge_request.id')
    .execute()
}
