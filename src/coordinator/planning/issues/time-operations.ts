import { inTransaction } from '../../database/transaction.js'
import { updateIssueRow } from '../../hosting/issue-store.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { type CallerInProject, lockTheIssue, requireIssue } from '../access/issue-access.js'
import { issueSnapshot, recordIssueChange } from '../issue-changes.js'
import { estimateOf, spentTimeOf, TimeStats, timeStats, type Tracked } from '../time-tracking.js'
import type { PresentDeps } from './present.js'
import { AddSpentTime, ByIid, SetEstimate } from './schema.js'

/** The estimated time of issues, and the time spent (API, F2). */
export function timeOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/issues/:issue_iid/time_stats', {
      summary: 'Get the time tracking of an issue',
      access: 'read_issues',
      params: ByIid,
      responses: { 200: TimeStats },
      run: async (call) => timeStats(await requireIssue(database, call, call.params.issue_iid)),
    }),
    operation('POST /projects/:id/issues/:issue_iid/time_estimate', {
      summary: 'Set the time estimate of an issue',
      access: 'manage_issues',
      params: SetEstimate,
      responses: { 200: TimeStats },
      run: async (call) => trackTime(deps, call, call.params.issue_iid, estimateOf(call.params.duration)),
    }),
    operation('POST /projects/:id/issues/:issue_iid/reset_time_estimate', {
      summary: 'Reset the time estimate of an issue',
      access: 'manage_issues',
      params: ByIid,
      responses: { 200: TimeStats },
      run: (call) => trackTime(deps, call, call.params.issue_iid, { time_estimate: 0 }),
    }),
    operation('POST /projects/:id/issues/:issue_iid/add_spent_time', {
      summary: 'Add time spent on an issue',
      access: 'manage_issues',
      params: AddSpentTime,
      responses: { 201: TimeStats },
      run: async (call) => {
        const { issue_iid, duration } = call.params
        return trackTime(deps, call, issue_iid, spentTimeOf(duration))
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/reset_spent_time', {
      summary: 'Reset the time spent on an issue',
      access: 'manage_issues',
      params: ByIid,
      responses: { 200: TimeStats },
      run: (call) => trackTime(deps, call, call.params.issue_iid, { total_time_spent: 0 }),
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
    const row = await lockTheIssue(tx, place, iid)
    const values = typeof changes === 'function' ? changes(row) : changes
    const user = signedIn(place.user)
    const was = await issueSnapshot(tx, row)
    const after = await updateIssueRow(tx, row, { ...values, updated_by_id: user.id, updated_at: Date.now() })
    await recordIssueChange(tx, user, was, await issueSnapshot(tx, after))
    return timeStats(after)
  })
}
