import type { User } from '../access/caller.js'
import type { Transaction } from '../database/transaction.js'
import { apiError, notFound } from '../http/errors.js'
import { requireManagedEpic } from './access/epic-access.js'
import {
  countEpicIssues,
  type EpicIssueRow,
  findEpicIssue,
  putIntoEpic,
  takeFromEpic,
} from './stores/epic-issue-store.js'
import { type EpicRow, lockEpic } from './stores/epic-store.js'

/** Maximum number of issues of an epic. */
const MAX_ISSUES = 5000

/** Gives an issue, which `tx` has locked, to an epic, instead of its present one. Throws 400 if the epic has too many issues. */
export async function assignEpic(
  tx: Transaction,
  { id, group_id }: EpicRow,
  issueId: number,
): Promise<EpicIssueRow> {
  if (!(await lockEpic(tx, group_id, id))) throw notFound('Epic')
  const present = await findEpicIssue(tx, { issueId })
  if (present?.epic_id === id) return present
  if ((await countEpicIssues(tx, id)) >= MAX_ISSUES) {
    throw apiError('too_many_epic_issues', { max: MAX_ISSUES })
  }
  return putIntoEpic(tx, id, issueId)
}

/**
 * Changes the epic of an issue, which `tx` has locked, to the one with this global ID; null and 0: to none. Throws 404 for a
 * hidden epic, and 403 for one of a group in which the user is no reporter.
 */
export async function changeEpic(
  tx: Transaction,
  user: User,
  issueId: number,
  epicId: number | null | undefined,
): Promise<void> {
  if (epicId === undefined) return
  if (epicId === null || epicId === 0) return takeFromEpic(tx, issueId)
  const present = await findEpicIssue(tx, { issueId })
  if (present?.epic_id === epicId) return
  await assignEpic(tx, await requireManagedEpic(tx, user, { id: epicId }), issueId)
}
