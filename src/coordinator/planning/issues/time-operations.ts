import type { Operation } from '../../http/operation.js'
import { lockTheIssue, requireIssue } from '../access/issue-access.js'
import { issueSnapshot, recordIssueChange } from '../issue-changes.js'
import { type IssueRow, updateIssueRow } from '../stores/issue-store.js'
import { timeOperationsOn, type TimeTracked } from '../time-tracking/operations.js'
import { trackTimeOf } from '../time-tracking/track-time.js'
import type { PresentDeps } from './present.js'
import { AddSpentTime, ByIid, SetEstimate } from './schema.js'

export const trackIssueTime = trackTimeOf<IssueRow>({
  lock: lockTheIssue,
  update: async (tx, user, before, values) => {
    const was = await issueSnapshot(tx, before)
    const after = await updateIssueRow(tx, before, values)
    await recordIssueChange(tx, user, was, await issueSnapshot(tx, after))
    return after
  },
})

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
