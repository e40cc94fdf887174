import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'

/** An issue that the texts of a merge request name. */
export interface NamedIssue {
  id: number
  /** Whether the merge closes it. */
  closes: boolean
}

/** The issues that a merge request names, in the order of their IDs. */
export async function issuesOfMergeRequest(database: Database, id: number): Promise<NamedIssue[]> {
  const rows = await database
    .selectFrom('merge_request_issue')
    .select(['issue_id', 'closes'])
    .where('merge_request_id', '=', id)
    .orderBy('issue_id')
    .execute()
  return rows.map(({ issue_id, closes }) => ({ id: issue_id, closes }))
}

/** Replaces the issues that a merge request names, given in the order of their IDs. Returns the IDs of those that are new. */
export async function setIssuesOfMergeRequest(
  tx: Transaction,
  id: number,
  issues: readonly NamedIssue[],
): Promise<number[]> {
  const known = await issuesOfMergeRequest(tx, id)
  if (JSON.stringify(known) === JSON.stringify(issues)) return []
  await tx.deleteFrom('merge_request_issue').where('merge_request_id', '=', id).execute()
  if (issues.length > 0) {
    const rows = issues.map((issue) => ({ merge_request_id: id, issue_id: issue.id, closes: issue.closes }))
    await tx.insertInto('merge_request_issue').values(rows).execute()
  }
  const had = new Set(known.map((issue) => issue.id))
  return issues.flatMap((issue) => (had.has(issue.id) ? [] : [issue.id]))
}

/** IDs of the merge requests that name an issue, or of those only that close it; the oldest first. */
export async function mergeRequestsNaming(
  database: Database,
  issueId: number,
  { closing }: { closing: boolean },
): Promise<number[]> {
  const rows = await database
    .selectFrom('merge_request_issue')
    .select('merge_request_id')
    .where('issue_id', '=', issueId)
    .$if(closing, (query) => query.where('closes', '=', true))
    .orderBy('merge_request_id')
    .execute()
  return rows.map(({ merge_request_id }) => merge_request_id)
}

/** Numbers of merge requests that close issues, by the IDs of the issues. */
export async function countClosing(
  database: Database,
  issueIds: readonly number[],
): Promise<Map<number, number>> {
  if (issueIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('merge_request_issue')
    .select(['issue_id', ({ fn }) => fn.countAll<number>().as('total')])
    .where('issue_id', 'in', issueIds)
    .where('closes', '=', true)
    .groupBy('issue_id')
    .execute()
  return new Map(rows.map(({ issue_id, total }) => [issue_id, total]))
}
