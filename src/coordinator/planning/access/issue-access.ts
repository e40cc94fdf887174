import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { notFound } from '../../http/errors.js'
import { assigneesOf, findIssue, type IssueRow, lockIssue } from '../stores/issue-store.js'

/** The relation of a caller to the project of issues. */
export interface CallerInProject {
  project: Project
  user: User | undefined
  /** Effective level. */
  accessLevel: number
  /** The level from membership alone. */
  membership: number
}

/** Whether the caller may see and change every issue of the project. */
export function managesIssues(caller: CallerInProject): boolean {
  return may('manage_issues', caller)
}

/** Throws 404 for an unknown issue, and for a confidential one that is hidden from the caller (API, F2). */
export async function requireIssue(
  database: Database,
  caller: CallerInProject,
  iid: number,
): Promise<IssueRow> {
  const row = await findIssue(database, caller.project.id, iid)
  if (!row || !(await isShown(database, caller, row))) throw notFound()
  return row
}

async function isShown(database: Database, caller: CallerInProject, row: IssueRow): Promise<boolean> {
  const { user } = caller
  if (!row.confidential || managesIssues(caller)) return true
  if (!user) return false
  return row.author_id === user.id || (await assigneeIds(database, row.id)).includes(user.id)
}

async function assigneeIds(database: Database, id: number): Promise<number[]> {
  return (await assigneesOf(database, [id])).get(id) ?? []
}

/** Locks an issue that the caller may see. Throws 404 as `requireIssue`. */
export async function lockTheIssue(tx: Transaction, caller: CallerInProject, iid: number): Promise<IssueRow> {
  const { id } = await requireIssue(tx, caller, iid)
  const row = await lockIssue(tx, id)
  if (!row || !(await isShown(tx, caller, row))) throw notFound()
  return row
}
