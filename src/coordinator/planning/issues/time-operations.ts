import { readDuration } from '../../../lib/working-time.js'
import { inTransaction } from '../../database/transaction.js'
import type { IssueRow } from '../../hosting/issue-store.js'
import { updateIssueRow } from '../../hosting/issue-store.js'
import { invalidParameters, invalidRecord } from '../../http/errors.js'
import { type Operation, operation } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { emitChange, lockTheIssue, type Place, snapshotIn, theIssue } from './issues.js'
import { type PresentDeps, timeStats } from './present.js'
import { AddSpentTime, ByIid, SetEstimate, TimeStats } from './schema.js'

/** The estimated time of issues, and the time spent (API, F2). */
export function timeOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/issues/:issue_iid/time_stats', {
      summary: 'Get the time tracking of an issue',
      access: 'read_issues',
      params: ByIid,
      answers: { 200: TimeStats },
      run: async (call) => timeStats(await theIssue(database, call, call.params.issue_iid)),
    }),
    operation('POST /projects/:id/issues/:issue_iid/time_estimate', {
      summary: 'Set the time estimate of an issue',
      access: 'manage_issues',
      params: SetEstimate,
      answers: { 200: TimeStats },
      run: async (call) =>
        track(deps, call, call.params.issue_iid, { time_estimate: estimateIn(call.params.duration) }),
    }),
    operation('POST /projects/:id/issues/:issue_iid/reset_time_estimate', {
      summary: 'Reset the time estimate of an issue',
      access: 'manage_issues',
      params: ByIid,
      answers: { 200: TimeStats },
      run: (call) => track(deps, call, call.params.issue_iid, { time_estimate: 0 }),
    }),
    operation('POST /projects/:id/issues/:issue_iid/add_spent_time', {
      summary: 'Add time spent on an issue',
      access: 'manage_issues',
      params: AddSpentTime,
      answers: { 201: TimeStats },
      run: async (call) => {
        const { issue_iid, duration } = call.params
        const spent = secondsIn(duration)
        return track(deps, call, issue_iid, (row) => ({
          total_time_spent: sumOf(row.total_time_spent, spent),
        }))
      },
    }),
    operation('POST /projects/:id/issues/:issue_iid/reset_spent_time', {
      summary: 'Reset the time spent on an issue',
      access: 'manage_issues',
      params: ByIid,
      answers: { 200: TimeStats },
      run: (call) => track(deps, call, call.params.issue_iid, { total_time_spent: 0 }),
    }),
  ]
}

function estimateIn(duration: string): number {
  const estimate = secondsIn(duration)
  if (estimate < 0) {
    throw invalidRecord({ time_estimate: ['must have a valid format and be greater than or equal to zero.'] })
  }
  return estimate
}

function secondsIn(duration: string): number {
  const seconds = readDuration(duration)
  if (seconds === undefined) throw invalidParameters('duration is invalid')
  return seconds
}

function sumOf(total: number, spent: number): number {
  if (total + spent < 0) throw invalidRecord({ base: ['Time to subtract exceeds the total time spent'] })
  return total + spent
}

type Tracked = Partial<Pick<IssueRow, 'time_estimate' | 'total_time_spent'>>

function track(
  { database }: PresentDeps,
  place: Place,
  iid: number,
  changes: Tracked | ((row: IssueRow) => Tracked),
): Promise<TimeStats> {
  return inTransaction(database, async (tx) => {
    const row = await lockTheIssue(tx, place, iid)
    const values = typeof changes === 'function' ? changes(row) : changes
    const user = signedIn(place.user)
    const was = await snapshotIn(tx, row)
    const after = await updateIssueRow(tx, row, { ...values, updated_by_id: user.id, updated_at: Date.now() })
    await emitChange(tx, user, was, await snapshotIn(tx, after))
    return timeStats(after)
  })
}
