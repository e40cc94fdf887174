import { inTransaction } from '../../database/transaction.js'
import type { Operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import type { CallerInProject } from '../access/issue-access.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import { updateMergeRequestRow } from '../stores/merge-request-store.js'
import { timeOperationsOn, type TimeTracked } from '../time-tracking/operations.js'
import { type TimeStats, timeStats, type TrackedChanges } from '../time-tracking/time-tracking.js'
import type { PresentDeps } from './present.js'
import { AddSpentTime, ByIid, SetEstimate } from './schema.js'

const TIME: TimeTracked<{ merge_request_iid: number }> = {
  routes: {
    stats: 'GET /projects/:id/merge_requests/:merge_request_iid/time_stats',
    estimate: 'POST /projects/:id/merge_requests/:merge_request_iid/time_estimate',
    resetEstimate: 'POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate',
    spend: 'POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time',
    resetSpent: 'POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time',
  },
  of: 'a merge request',
  read: 'read_merge_requests',
  manage: 'plan_merge_requests',
  params: { record: ByIid, estimate: SetEstimate, spend: AddSpentTime },
  iid: ({ merge_request_iid }) => merge_request_iid,
  find: requireMergeRequest,
  track: trackMergeRequestTime,
}

/** The estimated time of merge requests, and the time spent (API, F4). */
export function mergeRequestTimeOperations(deps: PresentDeps): Operation[] {
  return timeOperationsOn(deps, TIME)
}

/** Changes the estimate or the time spent. Throws 404 as the operations do; the caller must be allowed to. */
export function trackMergeRequestTime(
  { database }: Pick<PresentDeps, 'database'>,
  caller: CallerInProject,
  iid: number,
  changes: TrackedChanges,
): Promise<TimeStats> {
  return inTransaction(database, async (tx) => {
    const before = await lockTheMergeRequest(tx, caller, iid)
    const values = typeof changes === 'function' ? changes(before) : changes
    const user = signedIn(caller.user)
    const was = await mergeRequestSnapshot(tx, before)
    const times = { updated_by_id: user.id, updated_at: Date.now() }
    const row = await updateMergeRequestRow(tx, before, { ...values, ...times })
    await emitMergeRequestChange(tx, user, was, row)
    return timeStats(row)
  })
}
