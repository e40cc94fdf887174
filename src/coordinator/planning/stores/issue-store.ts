import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { countRows } from '../../database/count-rows.js'
import { addToOpenIssues, nextIssueIid, reserveIssueIid } from '../../database/stores/project-store.js'
import type { IssueLinkTable, IssueLinkType, IssueTable } from '../../database/tables/issues.js'
import type { Transaction } from '../../database/transaction.js'
import { emitDeletedPlanned, emitPlanned } from '../../hosting/planned-changes.js'
import type { MilestoneReplacement } from '../../integrations/resource-event-log/store.js'

export type IssueRow = Selectable<IssueTable>
export type IssueLinkRow = Selectable<IssueLinkTable>
export type NewIssueRow = Omit<Insertable<IssueTable>, 'id' | 'iid'> & { iid?: number | undefined }

/**
 * Inserts an issue with the next number of its project, or with the number that it names. Throws a unique
 * violation if that number is used.
 */
export async function insertIssue(
  tx: Transaction,
  { iid: wanted, ...values }: NewIssueRow,
): Promise<IssueRow> {
  const { project_id } = values
  if (wanted !== undefined) await reserveIssueIid(tx, project_id, wanted)
  const iid = wanted ?? (await nextIssueIid(tx, project_id))
  const row = await tx
    .insertInto('issue')
    .values({ ...values, iid })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addToOpenIssues(tx, project_id, countsOf(row))
  emitPlanned(tx, { issue_id: row.id })
  return row
}

/** Locks an issue until `tx` ends; undefined if it does not exist. The lock is a write in both databases. */
export async function lockIssue(tx: Transaction, id: number): Promise<IssueRow | undefined> {
  return tx
    .updateTable('issue')
    .set(({ ref }) => ({ iid: ref('iid') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Changes an issue that `tx` has locked, and the numbers of open issues of its project. */
export async function updateIssueRow(
  tx: Transaction,
  before: IssueRow,
  changes: Updateable<IssueTable>,
): Promise<IssueRow> {
  const after = await tx
    .updateTable('issue')
    .set(changes)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  emitPlanned(tx, { issue_id: before.id })
  const [was, is] = [countsOf(before), countsOf(after)]
  await addToOpenIssues(tx, before.project_id, {
    open: is.open - was.open,
    confidential: is.confidential - was.confidential,
  })
  return after
}

/** Deletes an issue that `tx` has locked. */
export async function deleteIssueRow(tx: Transaction, row: IssueRow): Promise<void> {
  const { id, project_id, confidential: isConfidential } = row
  await tx.deleteFrom('issue').where('id', '=', id).execute()
  emitDeletedPlanned(tx, { kind: 'issue', id, project_id, confidential: isConfidential })
  const { open, confidential } = countsOf(row)
  await addToOpenIssues(tx, row.project_id, { open: -open, confidential: -confidential })
}

function countsOf({ state, confidential }: IssueRow): { open: number; confidential: number } {
  const open = state === 'opened' ? 1 : 0
  return { open, confidential: confidential ? open : 0 }
}

export function findIssue(database: Database, projectId: number, iid: number): Promise<IssueRow | undefined> {
  return database
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('iid', '=', iid)
    .executeTakeFirst()
}

export function findIssueById(database: Database, id: number): Promise<IssueRow | undefined> {
  return database.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()
}

/** IDs of the assignees by issue ID, in their order. */
export async function assigneesOf(
  database: Database,
  issueIds: readonly number[],
): Promise<Map<number, number[]>> {
  const byIssue = new Map<number, number[]>()
  if (issueIds.length === 0) return byIssue
  const rows = await database
    .selectFrom('issue_assignee')
    .select(['issue_id', 'user_id'])
    .where('issue_id', 'in', issueIds)
    .orderBy('position')
    .execute()
  for (const { issue_id, user_id } of rows) byIssue.set(issue_id, [...(byIssue.get(issue_id) ?? []), user_id])
  return byIssue
}

/** Number of open issues assigned to the user in projects that are not archived. */
export function countOpenIssuesOf(database: Database, userId: number): Promise<number> {
  const assigned = database
    .selectFrom('issue')
    .innerJoin('issue_assignee', 'issue_assignee.issue_id', 'issue.id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .where('issue_assignee.user_id', '=', userId)
    .where('issue.state', '=', 'opened')
    .where('project.archived', '=', false)
  return countRows(database, assigned)
}

/** Replaces the assignees of an issue. */
export async function setAssignees(
  tx: Transaction,
  issueId: number,
  userIds: readonly number[],
): Promise<void> {
  await tx.deleteFrom('issue_assignee').where('issue_id', '=', issueId).execute()
  if (userIds.length === 0) return
  const rows = userIds.map((user_id, position) => ({ issue_id: issueId, user_id, position }))
  await tx.insertInto('issue_assignee').values(rows).execute()
}

/** Makes `to` the author of the issues of `from`. */
export async function reassignIssues(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.updateTable('issue').set({ author_id: to }).where('author_id', '=', from).execute()
}

/** Gives the issues of milestones the milestone that replaces them. */
export async function moveIssuesToMilestone(
  tx: Transaction,
  { from, to, projectId }: MilestoneReplacement,
): Promise<void> {
  await tx
    .updateTable('issue')
    .set({ milestone_id: to })
    .where('milestone_id', 'in', from)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? 0))
    .execute()
}

/** What the user has chosen; undefined = nothing. */
export async function findSubscription(
  database: Database,
  issueId: number,
  userId: number,
): Promise<boolean | undefined> {
  const row = await database
    .selectFrom('issue_subscription')
    .select('subscribed')
    .where('issue_id', '=', issueId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.subscribed
}

export async function setSubscription(
  tx: Transaction,
  values: { issue_id: number; user_id: number; subscribed: boolean },
): Promise<void> {
  await tx
    .insertInto('issue_subscription')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['issue_id', 'user_id']).doUpdateSet({ subscribed: values.subscribed }),
    )
    .execute()
}

/** Links from and to an issue. */
export function linksOf(database: Database, issueId: number): Promise<IssueLinkRow[]> {
  return database
    .selectFrom('issue_link')
    .selectAll()
    .where(({ or, eb }) => or([eb('source_id', '=', issueId), eb('target_id', '=', issueId)]))
    .orderBy('id')
    .execute()
}

export function insertLink(
  tx: Transaction,
  values: { source_id: number; target_id: number; link_type: IssueLinkType },
): Promise<IssueLinkRow> {
  const now = Date.now()
  return tx
    .insertInto('issue_link')
    .values({ ...values, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined if it was deleted, or if neither end is this issue. */
export function deleteLink(
  database: Database,
  issueId: number,
  id: number,
): Promise<IssueLinkRow | undefined> {
  return database
    .deleteFrom('issue_link')
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('source_id', '=', issueId), eb('target_id', '=', issueId)]))
    .returningAll()
    .executeTakeFirst()
}
