import type { DeletedPlanned } from '../ci/signals/live-news.js'
import type { Database } from '../database/connect.js'
import { afterCommit, storeOf, type Transaction } from '../database/transaction.js'

/** The record that has changed, or what belongs to it: comments and emoji. IDs, not numbers. */
interface PlannedChange {
  issues?: number[]
  mergeRequests?: number[]
  deletedPlanned?: DeletedPlanned[]
}

type PlannedListener = (change: PlannedChange) => void

const listeners = new WeakMap<Database, PlannedListener>()

/** Calls `listener` after each commit that changed issues or merge requests. */
export function onPlannedChanged(database: Database, listener: PlannedListener): void {
  listeners.set(database, listener)
}

/** Reports a change of `tx` once it is committed. Rows that belong to neither are ignored. */
export function emitPlanned(
  tx: Transaction,
  { issue_id = null, merge_request_id = null }: PlannedOwners,
): void {
  const listener = listeners.get(storeOf(tx))
  if (!listener) return
  if (issue_id !== null) afterCommit(tx, () => listener({ issues: [issue_id] }))
  if (merge_request_id !== null) afterCommit(tx, () => listener({ mergeRequests: [merge_request_id] }))
}

/** Reports a deletion by `tx` once it is committed. */
export function emitDeletedPlanned(tx: Transaction, deleted: DeletedPlanned): void {
  const listener = listeners.get(storeOf(tx))
  if (listener) afterCommit(tx, () => listener({ deletedPlanned: [deleted] }))
}

/** The columns of notes and emoji that name what they belong to. */
interface PlannedOwners {
  issue_id?: number | null | undefined
  merge_request_id?: number | null | undefined
}
