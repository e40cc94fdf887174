import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'

import type { Database } from '../connect.js'
import type { ProjectTable } from '../tables/projects.js'
import type { Transaction } from '../transaction.js'

type ProjectRow = Selectable<ProjectTable>

export function insertProjectRow(tx: Transaction, values: Insertable<ProjectTable>): Promise<ProjectRow> {
  // The default of the column is older than sites.
  return tx
    .insertInto('project')
    .values({ pages_access_level: 'enabled', ...values })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateProject(
  database: Database,
  id: number,
  changes: Updateable<ProjectTable>,
): Promise<ProjectRow> {
  return database
    .updateTable('project')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes columns that do not count as an edit: `updated_at` stays. Does nothing if the project was deleted. */
export async function setProjectColumns(
  database: Database,
  id: number,
  columns: Updateable<ProjectTable>,
): Promise<void> {
  await database.updateTable('project').set(columns).where('id', '=', id).execute()
}

/** Gives the caches of the project new keys. */
export async function raiseCacheIndex(database: Database, id: number): Promise<void> {
  await database
    .updateTable('project')
    .set(({ eb }) => ({ jobs_cache_index: eb('jobs_cache_index', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function deleteProjectById(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('project').where('id', '=', id).execute()
}

/** False when the project has a default branch already. */
export async function setMissingDefaultBranch(tx: Transaction, id: number, branch: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('project')
    .set({ default_branch: branch })
    .where('id', '=', id)
    .where('default_branch', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Undefined when the project is a fork already. */
export function setForkSource(
  database: Database,
  id: number,
  sourceId: number,
): Promise<ProjectRow | undefined> {
  return database
    .updateTable('project')
    .set({ forked_from_id: sourceId, updated_at: Date.now() })
    .where('id', '=', id)
    .where('forked_from_id', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** False when the project is not a fork. */
export async function clearForkSource(database: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('project')
    .set({ forked_from_id: null, updated_at: Date.now() })
    .where('id', '=', id)
    .where('forked_from_id', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Undefined when the project was deleted. */
export function addToStarCount(tx: Transaction, id: number, by: number): Promise<ProjectRow | undefined> {
  return tx
    .updateTable('project')
    .set(({ eb }) => ({ star_count: eb('star_count', '+', by) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Subtracts the stars of a user, whose rows in `project_star` are still there. */
export async function subtractStarsOfUser(tx: Transaction, userId: number): Promise<void> {
  await tx
    .updateTable('project')
    .set(({ eb }) => ({ star_count: eb('star_count', '-', 1) }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('project_star').select('project_id').where('user_id', '=', userId),
    )
    .execute()
}

/**
 * Replaces the beginning `before` of full paths with `after`. `namespaceIds`: a subquery of ids. Projects whose deletion
 * has begun have other paths, which stay.
 */
export async function replacePathPrefixOfProjects(
  tx: Transaction,
  namespaceIds: RawBuilder<number>,
  before: string,
  after: string,
): Promise<void> {
  await tx
    .updateTable('project')
    .set({ full_path: withPathPrefix(before, after) })
    .where('namespace_id', 'in', namespaceIds)
    .where('deletion_started_at', 'is', null)
    .execute()
}

/** The column `full_path` with another beginning. */
export function withPathPrefix(before: string, after: string): RawBuilder<string> {
  return sql<string>`cast(${after} as text) || substr(full_path, ${sql.lit(before.length + 1)})`
}

/** Returns the ids of the projects that had instance runners. `namespaceIds`: a subquery of ids. */
export async function disableInstanceRunnersOfProjects(
  tx: Transaction,
  namespaceIds: RawBuilder<number>,
): Promise<number[]> {
  const rows = await tx
    .updateTable('project')
    .set({ shared_runners_enabled: false })
    .where('shared_runners_enabled', '=', true)
    .where('namespace_id', 'in', namespaceIds)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes `to` the creator of the projects that `from` created. */
export async function reassignProjects(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('project').set({ creator_id: to }).where('creator_id', '=', from).execute()
}
/**
 * The next `iid` of the project. Locks the row of the project, which fixes the order of its pipelines, until `tx` ends.
 */

export async function nextPipelineIid(tx: Transaction, projectId: number): Promise<number> {
  const { pipeline_count } = await tx
    .updateTable('project')
    .set((eb) => ({ pipeline_count: eb('pipeline_count', '+', 1) }))
    .where('id', '=', projectId)
    .returning('pipeline_count')
    .executeTakeFirstOrThrow()
  return pipeline_count
}

/** The next `iid` of a milestone of the project. Locks the row of the project until `tx` ends. */
export async function nextMilestoneIidOfProject(tx: Transaction, projectId: number): Promise<number> {
  const { milestone_count } = await tx
    .updateTable('project')
    .set((eb) => ({ milestone_count: eb('milestone_count', '+', 1) }))
    .where('id', '=', projectId)
    .returning('milestone_count')
    .executeTakeFirstOrThrow()
  return milestone_count
}

/** The next `iid` of an issue of the project. Locks the row of the project until `tx` ends. */
export async function nextIssueIid(tx: Transaction, projectId: number): Promise<number> {
  const { issue_count } = await tx
    .updateTable('project')
    .set((eb) => ({ issue_count: eb('issue_count', '+', 1) }))
    .where('id', '=', projectId)
    .returning('issue_count')
    .executeTakeFirstOrThrow()
  return issue_count
}

/** Makes sure that no later issue gets this `iid`, which the caller has chosen. */
export async function reserveIssueIid(tx: Transaction, projectId: number, iid: number): Promise<void> {
  await tx
    .updateTable('project')
    .set({ issue_count: iid })
    .where('id', '=', projectId)
    .where('issue_count', '<', iid)
    .execute()
}

/** The next `iid` of a merge request of the project. Locks the row of the project until `tx` ends. */
export async function nextMergeRequestIid(tx: Transaction, projectId: number): Promise<number> {
  const { merge_request_count } = await tx
    .updateTable('project')
    .set((eb) => ({ merge_request_count: eb('merge_request_count', '+', 1) }))
    .where('id', '=', projectId)
    .returning('merge_request_count')
    .executeTakeFirstOrThrow()
  return merge_request_count
}

/** Makes sure that no later merge request gets this `iid`, which the caller has chosen. */
export async function reserveMergeRequestIid(tx: Transaction, projectId: number, iid: number): Promise<void> {
  await tx
    .updateTable('project')
    .set({ merge_request_count: iid })
    .where('id', '=', projectId)
    .where('merge_request_count', '<', iid)
    .execute()
}

/** Adds to the number of open merge requests; does nothing without a difference. */
export async function addToOpenMergeRequests(tx: Transaction, projectId: number, by: number): Promise<void> {
  if (by === 0) return
  await tx
    .updateTable('project')
    .set(({ eb }) => ({ open_merge_request_count: eb('open_merge_request_count', '+', by) }))
    .where('id', '=', projectId)
    .execute()
}

/** Adds to the numbers of open issues and of open confidential ones; does nothing without a difference. */
export async function addToOpenIssues(
  tx: Transaction,
  projectId: number,
  by: { open: number; confidential: number },
): Promise<void> {
  if (by.open === 0 && by.confidential === 0) return
  await tx
    .updateTable('project')
    .set(({ eb }) => ({
      open_issue_count: eb('open_issue_count', '+', by.open),
      open_confidential_issue_count: eb('open_confidential_issue_count', '+', by.confidential),
    }))
    .where('id', '=', projectId)
    .execute()
}

/** Full paths of projects by ID; IDs may repeat, and deleted projects are missing. */
export async function findFullPaths(
  database: Database,
  ids: readonly (number | null)[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const projects = await database
    .selectFrom('project')
    .select(['id', 'full_path'])
    .where('id', 'in', wanted)
    .execute()
  return new Map(projects.map(({ id, full_path }) => [id, full_path]))
}

/** Null for an unknown project, and for one without a branch. */
export async function findDefaultBranch(database: Database, id: number): Promise<string | null> {
  const project = await database
    .selectFrom('project')
    .select('default_branch')
    .where('id', '=', id)
    .executeTakeFirst()
  return project?.default_branch ?? null
}
