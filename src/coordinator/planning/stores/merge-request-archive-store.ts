import type { Insertable, Selectable } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type {
  MergeRequestApprovalTable,
  MergeRequestReviewerTable,
  MergeRequestVersionTable,
} from '../../database/tables/merge-requests.js'
import type { Transaction } from '../../database/transaction.js'
import type { VersionRow } from './merge-request-store.js'

/** Rows that belong to merge requests, as archives of projects contain them. */

type ApprovalRow = Selectable<MergeRequestApprovalTable>

/** Databases limit the number of values in a statement. */
const ROWS_PER_STATEMENT = 500

/** Versions by merge request ID, the oldest first. */
export async function versionsOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, VersionRow[]>> {
  const rows = await database
    .selectFrom('merge_request_version')
    .selectAll()
    .where('merge_request_id', 'in', ids)
    .orderBy('id')
    .execute()
  return byMergeRequest(rows)
}

/** Approvals by merge request ID, the oldest first. */
export async function approvalsByMergeRequest(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, ApprovalRow[]>> {
  const rows = await database
    .selectFrom('merge_request_approval')
    .selectAll()
    .where('merge_request_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('user_id')
    .execute()
  return byMergeRequest(rows)
}

function byMergeRequest<Row extends { merge_request_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  return groupBy(rows, ({ merge_request_id }) => merge_request_id)
}

/** Issues of the target project that merge requests name, by merge request ID. */
export async function namedIssuesOf(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, { merge_request_id: number; iid: number; closes: boolean }[]>> {
  const rows = await database
    .selectFrom('merge_request_issue')
    .innerJoin('issue', 'issue.id', 'merge_request_issue.issue_id')
    .innerJoin('merge_request', 'merge_request.id', 'merge_request_issue.merge_request_id')
    .select(['merge_request_issue.merge_request_id', 'issue.iid', 'merge_request_issue.closes'])
    .where('merge_request_issue.merge_request_id', 'in', ids)
    .whereRef('issue.project_id', '=', 'merge_request.project_id')
    .orderBy('issue.iid')
    .execute()
  return byMergeRequest(rows)
}

/** IDs of issues of a project by their numbers; the numbers of no issue are missing. */
export async function issueIdsByIid(
  database: Database,
  projectId: number,
  iids: readonly number[],
): Promise<Map<number, number>> {
  const ids = new Map<number, number>()
  for (let start = 0; start < iids.length; start += ROWS_PER_STATEMENT) {
    const rows = await database
      .selectFrom('issue')
      .select(['id', 'iid'])
      .where('project_id', '=', projectId)
      .where('iid', 'in', iids.slice(start, start + ROWS_PER_STATEMENT))
      .execute()
    for (const { id, iid } of rows) ids.set(iid, id)
  }
  return ids
}

export async function insertVersions(
  tx: Transaction,
  rows: readonly Omit<Insertable<MergeRequestVersionTable>, 'id'>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const some = rows.slice(start, start + ROWS_PER_STATEMENT)
    await tx.insertInto('merge_request_version').values(some).execute()
  }
}

/** Inserts reviewers with the states of their reviews. */
export async function insertReviewers(
  tx: Transaction,
  rows: readonly Insertable<MergeRequestReviewerTable>[],
): Promise<void> {
  if (rows.length > 0) await tx.insertInto('merge_request_reviewer').values(rows).execute()
}

export async function insertApprovals(
  tx: Transaction,
  rows: readonly Insertable<MergeRequestApprovalTable>[],
): Promise<void> {
  if (rows.length > 0) await tx.insertInto('merge_request_approval').values(rows).execute()
}

/** Numbers of all merge requests of a target project. */
export async function mergeRequestIids(database: Database, projectId: number): Promise<Set<number>> {
  const rows = await database
    .selectFrom('merge_request')
    .select('iid')
    .where('project_id', '=', projectId)
    .execute()
  return new Set(rows.map(({ iid }) => iid))
}
