import { inTransaction } from '../../database/transaction.js'
import type { Operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { type CallerInProject, lockTheIssue, requireIssue } from '../access/issue-access.js'
import { issueSnapshot, recordIssueChange } from '../issue-changes.js'
import { updateIssueRow } from '../stores/issue-store.js'
import { timeOperationsOn, type TimeTracked } from '../time-tracking/operations.js'
import { type TimeStats, timeStats, type TrackedChanges } from '../time-tracking/time-tracking.js'
import type { PresentDeps } from './present.js'
import { AddSpentTime, ByIid, SetEstimate } from './schema.js'

const TIME: TimeTracked<{ issue_iid: number }> = {
  routes: {
    stats: 'GET /projects/:id/issues/:issue_iid/time_stats',
    estimate: 'POST /projects/:id/issues/:issue_iid/time_estimate',
    resetEstimate: 'POST /projects/:id/issues/:issue_iid/reset_time_estimate',
    spend: 'POST /projects/:id/issues/:issue_iid/add_spent_time',
    resetSpent: 'POST /projects/:id/issues/:issue_iid/reset_spent_time',
  },
  of: 'an issue',
  read: 'read_issues',
  manage: 'manage_issues',
  params: { record: ByIid, estimate: SetEstimate, spend: AddSpentTime },
  iid: ({ issue_iid }) => issue_iid,
  find: requireIssue,
  track: trackIssueTime,
}

/** The estimated time of issues, and the time spent (API, F2). */
export function issueTimeOperations(deps: PresentDeps): Operation[] {
  return timeOperationsOn(deps, TIME)
}

/** Changes the estimate or the time spent. Throws 404 as the operations do; the caller must be allowed to. */
export function trackIssueTime(
  { database }: Pick<PresentDeps, 'database'>,
  caller: CallerInProject,
  iid: number,
  changes: TrackedChanges,
): Promise<TimeStats> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheIssue(tx, caller, iid)
    const values = typeof changes === 'function' ? changes(row) : changes
    const user = signedIn(caller.user)
    const was = await issueSnapshot(tx, row)
    const after = await updateIssueRow(tx, row, { ...values, updated_by_id: user.id, updated_at: Date.now() })
    await recordIssueChange(tx, user, was, await issueSnapshot(tx, after))
    return timeStats(after)
  })
}
