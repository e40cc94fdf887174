import type { Operation } from '../../http/operation.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import { type MergeRequestRow, updateMergeRequestRow } from '../stores/merge-request-store.js'
import { timeOperationsOn, type TimeTracked } from '../time-tracking/operations.js'
import { trackTimeOf } from '../time-tracking/track-time.js'
import type { PresentDeps } from './present.js'
import { AddSpentTime, ByIid, SetEstimate } from './schema.js'

export const trackMergeRequestTime = trackTimeOf<MergeRequestRow>({
  lock: lockTheMergeRequest,
  update: async (tx, user, before, values) => {
    const was = await mergeRequestSnapshot(tx, before)
    const after = await updateMergeRequestRow(tx, before, values)
    await emitMergeRequestChange(tx, user, was, after)
    return after
  },
})

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
