import { inTransaction } from '../../database/transaction.js'
import { updateMergeRequestRow } from '../../hosting/merge-request-store.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import type { CallerInProject } from '../access/issue-access.js'
import { lockTheMergeRequest, requireMergeRequest } from '../access/merge-request-access.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../merge-request-changes.js'
import { estimateOf, spentTimeOf, TimeStats, timeStats, type Tracked } from '../time-tracking.js'
import type { PresentDeps } from './present.js'
import { AddSpentTime, ByIid, SetEstimate } from './schema.js'

/** The estimated time of merge requests, and the time spent (API, F4). */
export function timeOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/time_stats', {
      summary: 'Get the time tracking of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: TimeStats },
      run: async (call) =>
        timeStats(await requireMergeRequest(database, call, call.params.merge_request_iid)),
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/time_estimate', {
      summary: 'Set the time estimate of a merge request',
      access: 'plan_merge_requests',
      params: SetEstimate,
      responses: { 200: TimeStats },
      run: async (call) =>
        trackTime(deps, call, call.params.merge_request_iid, estimateOf(call.params.duration)),
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate', {
      summary: 'Reset the time estimate of a merge request',
      access: 'plan_merge_requests',
      params: ByIid,
      responses: { 200: TimeStats },
      run: (call) => trackTime(deps, call, call.params.merge_request_iid, { time_estimate: 0 }),
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time', {
      summary: 'Add time spent on a merge request',
      access: 'plan_merge_requests',
      params: AddSpentTime,
      responses: { 201: TimeStats },
      run: async (call) => {
        const { merge_request_iid, duration } = call.params
        return trackTime(deps, call, merge_request_iid, spentTimeOf(duration))
      },
    }),
    operation('POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time', {
      summary: 'Reset the time spent on a merge request',
      access: 'plan_merge_requests',
      params: ByIid,
      responses: { 200: TimeStats },
      run: (call) => trackTime(deps, call, call.params.merge_request_iid, { total_time_spent: 0 }),
    }),
  ]
}

/** Changes the estimate or the time spent. Throws 404 as the operations do; the caller must be allowed to. */
export function trackTime(
  { database }: Pick<PresentDeps, 'database'>,
  place: CallerInProject,
  iid: number,
  changes: Partial<Tracked> | ((row: Tracked) => Partial<Tracked>),
): Promise<TimeStats> {
  return inTransaction(database, async (tx) => {
    const before = await lockTheMergeRequest(tx, place, iid)
    const values = typeof changes === 'function' ? changes(before) : changes
    const user = signedIn(place.user)
    const was = await mergeRequestSnapshot(tx, before)
    const times = { updated_by_id: user.id, updated_at: Date.now() }
    const row = await updateMergeRequestRow(tx, before, { ...values, ...times })
    await emitMergeRequestChange(tx, user, was, row)
    return timeStats(row)
  })
}
