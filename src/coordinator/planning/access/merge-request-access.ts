import { may } from '../../access/access.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { notFound } from '../../http/errors.js'
import {
  assigneesOfMergeRequests,
  findMergeRequest,
  lockMergeRequest,
  type MergeRequestRow,
} from '../stores/merge-request-store.js'
import type { CallerInProject } from './issue-access.js'

/** Throws 404 for an unknown merge request of the project (API, F4). */
export async function requireMergeRequest(
  database: Database,
  { project }: Pick<CallerInProject, 'project'>,
  iid: number,
): Promise<MergeRequestRow> {
  const row = await findMergeRequest(database, project.id, iid)
  if (!row) throw notFound()
  return row
}

/** Locks a merge request until `tx` ends. Throws 404 for an unknown one. */
export async function lockTheMergeRequest(
  tx: Transaction,
  caller: Pick<CallerInProject, 'project'>,
  iid: number,
): Promise<MergeRequestRow> {
  const { id } = await requireMergeRequest(tx, caller, iid)
  const row = await lockMergeRequest(tx, id)
  if (!row) throw notFound()
  return row
}

/** Whether the caller may set labels, milestone, assignees and reviewers of the merge requests that they may change. */
export function plansMergeRequests(caller: CallerInProject): boolean {
  return may('plan_merge_requests', caller)
}

/** Whether the caller may change the merge request: developers, its author and its assignees. */
export async function mayEdit(
  database: Database,
  caller: CallerInProject,
  row: MergeRequestRow,
): Promise<boolean> {
  if (may('manage_merge_requests', caller)) return true
  const { user } = caller
  if (!user) return false
  if (row.author_id === user.id) return true
  return ((await assigneesOfMergeRequests(database, [row.id])).get(row.id) ?? []).includes(user.id)
}
