import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { signedIn } from '../../http/viewer.js'
import type { CallerInProject } from '../access/issue-access.js'
import { type TimeStats, timeStats, type Tracked, type TrackedChanges } from './time-tracking.js'

/**
 * Changes the estimate or the time spent. Throws 404 for an unknown record, and 400 as the function that computes the
 * changes does; the caller must be allowed to change them.
 */
export type TrackTime = (
  deps: { database: Database },
  caller: CallerInProject,
  iid: number,
  changes: TrackedChanges,
) => Promise<TimeStats>

/** How the times of issues, or of merge requests, are written. */
interface TrackedRecords<Row> {
  /** Throws 404 for an unknown record. */
  lock: (tx: Transaction, caller: CallerInProject, iid: number) => Promise<Row>
  /** Changes the row as an edit of the user, and emits the change. */
  update: (tx: Transaction, user: User, before: Row, values: TimeEdit) => Promise<Row>
}

type TimeEdit = Partial<Tracked> & { updated_by_id: number; updated_at: number }

export function trackTimeOf<Row extends Tracked>({ lock, update }: TrackedRecords<Row>): TrackTime {
  return ({ database }, caller, iid, changes) =>
    inTransaction(database, async (tx) => {
      const before = await lock(tx, caller, iid)
      const values = typeof changes === 'function' ? changes(before) : changes
      const user = signedIn(caller.user)
      const edit = { ...values, updated_by_id: user.id, updated_at: Date.now() }
      return timeStats(await update(tx, user, before, edit))
    })
}
