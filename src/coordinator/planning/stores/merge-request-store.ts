import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import {
  addToOpenMergeRequests,
  nextMergeRequestIid,
  reserveMergeRequestIid,
} from '../../database/stores/project-store.js'
import type {
  MergeRequestReviewerTable,
  MergeRequestTable,
  MergeRequestVersionTable,
} from '../../database/tables/merge-requests.js'
import type { Transaction } from '../../database/transaction.js'
import { emitDeletedPlanned, emitPlanned } from '../../hosting/planned-changes.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { MilestoneReplacement } from '../../integrations/resource-event-log/store.js'

export type MergeRequestRow = Selectable<MergeRequestTable>
export type ReviewerRow = Selectable<MergeRequestReviewerTable>
export type VersionRow = Selectable<MergeRequestVersionTable>
export type NewMergeRequestRow = Omit<Insertable<MergeRequestTable>, 'id' | 'iid'> & {
  iid?: number | undefined
}

/** States in which a merge request counts as open. */
export const OPEN_STATES = ['opened', 'locked'] as const

/**
 * Inserts a merge request with the next number of its target project, or with the number that it names.
 * Throws a unique violation if that number is used, or if the two branches have an open merge request.
 */
export async function insertMergeRequest(
  tx: Transaction,
  { iid: wanted, ...values }: NewMergeRequestRow,
): Promise<MergeRequestRow> {
  const { project_id } = values
  if (wanted !== undefined) await reserveMergeRequestIid(tx, project_id, wanted)
  const iid = wanted ?? (await nextMergeRequestIid(tx, project_id))
  const row = await tx
    .insertInto('merge_request')
    .values({ ...values, iid })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addToOpenMergeRequests(tx, project_id, openCount(row))
  emitPlanned(tx, { merge_request_id: row.id })
  return row
}

/** Locks the row until `tx` ends; undefined if it does not exist. The lock is a write in both databases. */
export async function lockMergeRequest(tx: Transaction, id: number): Promise<MergeRequestRow | undefined> {
  return tx
    .updateTable('merge_request')
    .set(({ ref }) => ({ iid: ref('iid') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Changes a merge request that `tx` has locked, and the number of open ones of its project. */
export async function updateMergeRequestRow(
  tx: Transaction,
  before: MergeRequestRow,
  changes: Updateable<MergeRequestTable>,
): Promise<MergeRequestRow> {
  const after = await tx
    .updateTable('merge_request')
    .set(changes)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  emitPlanned(tx, { merge_request_id: before.id })
  await addToOpenMergeRequests(tx, before.project_id, openCount(after) - openCount(before))
  return after
}

/** Deletes a merge request that `tx` has locked. */
export async function deleteMergeRequestRow(tx: Transaction, row: MergeRequestRow): Promise<void> {
  const { id, project_id } = row
  await tx.deleteFrom('merge_request').where('id', '=', id).execute()
  emitDeletedPlanned(tx, { kind: 'merge-request', id, project_id, confidential: false })
  await addToOpenMergeRequests(tx, row.project_id, -openCount(row))
}

function openCount({ state }: MergeRequestRow): number {
  return state === 'opened' || state === 'locked' ? 1 : 0
}

/** `projectId`: the target project. */
export function findMergeRequest(
  database: Database,
  projectId: number,
  iid: number,
): Promise<MergeRequestRow | undefined> {
  return database
    .selectFrom('merge_request')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('iid', '=', iid)
    .executeTakeFirst()
}

export function findMergeRequestById(database: Database, id: number): Promise<MergeRequestRow | undefined> {
  return database.selectFrom('merge_request').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Open merge requests from this branch, oldest first. */
export function openFromBranch(
  database: Database,
  projectId: number,
  branch: string,
): Promise<MergeRequestRow[]> {
  return database
    .selectFrom('merge_request')
    .selectAll()
    .where('source_project_id', '=', projectId)
    .where('source_branch', '=', branch)
    .where('state', 'in', OPEN_STATES)
    .orderBy('id')
    .execute()
}

/** IDs of the open merge requests from a project into other ones, oldest first. */
export function openFromProject(
  database: Database,
  projectId: number,
): Promise<Pick<MergeRequestRow, 'id' | 'project_id'>[]> {
  return database
    .selectFrom('merge_request')
    .select(['id', 'project_id'])
    .where('source_project_id', '=', projectId)
    .where('project_id', '<>', projectId)
    .where('state', 'in', OPEN_STATES)
    .orderBy('id')
    .execute()
}

/** Merge requests into this branch that are not merged, whose merge moves the branch to this commit. */
export function mergingInto(
  database: Database,
  projectId: number,
  branch: string,
  sha: string,
): Promise<MergeRequestRow[]> {
  return (
    database
      .selectFrom('merge_request')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('target_branch', '=', branch)
      // Also a merge that was given up for dead, and closed ones: the branch has moved, so they are merged.
      .where('state', '<>', 'merged')
      .where('in_progress_merge_sha', '=', sha)
      .orderBy('id')
      .execute()
  )
}

/** Merge requests that have been locked by a merge since before this time, in milliseconds since 1970. */
export function lockedBefore(database: Database, time: number): Promise<MergeRequestRow[]> {
  return (
    database
      .selectFrom('merge_request')
      .selectAll()
      // In these words, it is the condition of an index.
      .where(sql<SqlBool>`state = 'locked'`)
      .where('updated_at', '<', time)
      .orderBy('id')
      .execute()
  )
}

/** Number of open merge requests that a user is to merge, or to review, in projects that are not archived. */
export function countOpenMergeRequestsOf(
  database: Database,
  role: 'assignee' | 'reviewer',
  userId: number,
): Promise<number> {
  const table = sql.table(`merge_request_${role}`)
  const own = database
    .selectFrom('merge_request')
    .innerJoin('project', 'project.id', 'merge_request.project_id')
    .where(
      sql<SqlBool>`merge_request.id in (select merge_request_id from ${table} where user_id = ${userId})`,
    )
    .where('merge_request.state', 'in', OPEN_STATES)
    .where('project.archived', '=', false)
  return countRows(database, own)
}

/** IDs of the assignees by merge request ID, in their order. */
export async function assigneesOfMergeRequests(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, number[]>> {
  const byId = new Map<number, number[]>()
  if (ids.length === 0) return byId
  const rows = await database
    .selectFrom('merge_request_assignee')
    .select(['merge_request_id', 'user_id'])
    .where('merge_request_id', 'in', ids)
    .orderBy('position')
    .execute()
  for (const { merge_request_id: id, user_id } of rows) byId.set(id, [...(byId.get(id) ?? []), user_id])
  return byId
}

/** Replaces the assignees. */
export async function setMergeRequestAssignees(
  tx: Transaction,
  id: number,
  userIds: readonly number[],
): Promise<void> {
  await tx.deleteFrom('merge_request_assignee').where('merge_request_id', '=', id).execute()
  if (userIds.length === 0) return
  const rows = userIds.map((user_id, position) => ({ merge_request_id: id, user_id, position }))
  await tx.insertInto('merge_request_assignee').values(rows).execute()
}

/** Reviewers by merge request ID, in their order. */
export async function reviewersOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, ReviewerRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request_reviewer')
    .selectAll()
    .where('merge_request_id', 'in', ids)
    .orderBy('position')
    .execute()
  return groupBy(rows, ({ merge_request_id: id }) => id)
}

/** Replaces the reviewers; those who stay keep the state of their review. */
export async function setReviewers(tx: Transaction, id: number, userIds: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('merge_request_reviewer')
    .where('merge_request_id', '=', id)
    .$if(userIds.length > 0, (others) => others.where('user_id', 'not in', userIds))
    .execute()
  for (const [position, user_id] of userIds.entries()) {
    await tx
      .insertInto('merge_request_reviewer')
      .values({ merge_request_id: id, user_id, position, created_at: Date.now() })
      .onConflict((conflict) => conflict.columns(['merge_request_id', 'user_id']).doUpdateSet({ position }))
      .execute()
  }
}

/** Makes `to` the author of the merge requests of `from`. */
export async function reassignMergeRequests(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('merge_request').set({ author_id: to }).where('author_id', '=', from).execute()
}

/** Gives the merge requests of milestones the milestone that replaces them; `projectId` is the target project. */
export async function moveMergeRequestsToMilestone(
  tx: Transaction,
  { from, to, projectId }: MilestoneReplacement,
): Promise<void> {
  await tx
    .updateTable('merge_request')
    .set({ milestone_id: to })
    .where('milestone_id', 'in', from)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .execute()
}

/** What a user has chosen about the notifications of merge requests, by the ID of the merge request. */
export async function mergeRequestSubscriptions(
  database: Database,
  userId: number,
  ids: readonly number[],
): Promise<Map<number, boolean>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request_subscription')
    .select(['merge_request_id', 'subscribed'])
    .where('merge_request_id', 'in', ids)
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.map(({ merge_request_id, subscribed }) => [merge_request_id, subscribed]))
}

/** The user's choice; undefined = none. */
export async function findMergeRequestSubscription(
  database: Database,
  id: number,
  userId: number,
): Promise<boolean | undefined> {
  const row = await database
    .selectFrom('merge_request_subscription')
    .select('subscribed')
    .where('merge_request_id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.subscribed
}

export async function setMergeRequestSubscription(
  tx: Transaction,
  values: { merge_request_id: number; user_id: number; subscribed: boolean },
): Promise<void> {
  await tx
    .insertInto('merge_request_subscription')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['merge_request_id', 'user_id']).doUpdateSet({ subscribed: values.subscribed }),
    )
    .execute()
}

/** The latest version; undefined before the first one. */
export function latestVersion(database: Database, id: number): Promise<VersionRow | undefined> {
  return database
    .selectFrom('merge_request_version')
    .selectAll()
    .where('merge_request_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The versions of a merge request, the newest first. */
export function listVersions(database: Database, id: number, paging: Paging): Promise<Rows<VersionRow>> {
  const ofIt = database.selectFrom('merge_request_version').where('merge_request_id', '=', id)
  const order = { table: 'merge_request_version', column: 'id', direction: 'desc' } as const
  return listRows(database, ofIt, paging, order)
}

/** One version of a merge request; undefined if it has none with this ID. */
export function findVersionOf(
  database: Database,
  id: number,
  versionId: number,
): Promise<VersionRow | undefined> {
  return database
    .selectFrom('merge_request_version')
    .selectAll()
    .where('merge_request_id', '=', id)
    .where('id', '=', versionId)
    .executeTakeFirst()
}

/** The version with these commits; undefined if there is none. */
export function findVersionByHeads(
  database: Database,
  id: number,
  { base_sha, start_sha, head_sha }: Pick<VersionRow, 'base_sha' | 'start_sha' | 'head_sha'>,
): Promise<VersionRow | undefined> {
  return database
    .selectFrom('merge_request_version')
    .selectAll()
    .where('merge_request_id', '=', id)
    .where('head_sha', '=', head_sha)
    .where('base_sha', '=', base_sha)
    .where('start_sha', '=', start_sha)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Stores a new version, the latest from now on. */
export function insertVersion(
  tx: Transaction,
  values: Omit<Insertable<MergeRequestVersionTable>, 'id'>,
): Promise<VersionRow> {
  return tx.insertInto('merge_request_version').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Records that everything that follows from a version was done. */
export async function markVersionReported(database: Database, id: number): Promise<void> {
  await database.updateTable('merge_request_version').set({ reported: true }).where('id', '=', id).execute()
}

/** The latest versions of merge requests, by the ID of the merge request. */
export async function latestVersionsOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, VersionRow>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request_version')
    .selectAll()
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('merge_request_version')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('merge_request_id', 'in', ids)
        .groupBy('merge_request_id'),
    )
    .execute()
  return new Map(rows.map((row) => [row.merge_request_id, row]))
}
