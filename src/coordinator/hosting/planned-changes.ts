import type { ChangedRecords, DeletedPlanned, WikiOwners } from '../ci/signals/live-news.js'
import type { Database } from '../database/connect.js'
import { afterCommit, storeOf, type Transaction } from '../database/transaction.js'

/**
 * What has comments, by the kind of its live topic: the column of notes and emoji that names it, its table, and the name
 * of its IDs among changes. A kind that gets comments joins this table, and so its page is live.
 */
export const DISCUSSED = {
  issue: { column: 'issue_id', table: 'issue', changes: 'issues' },
  'merge-request': { column: 'merge_request_id', table: 'merge_request', changes: 'mergeRequests' },
  epic: { column: 'epic_id', table: 'epic', changes: 'epics' },
  snippet: { column: 'snippet_id', table: 'snippet', changes: 'snippets' },
} as const

export type DiscussedKind = keyof typeof DISCUSSED
export type DiscussedColumn = (typeof DISCUSSED)[DiscussedKind]['column']

type PlannedListener = (change: ChangedRecords) => void

const listeners = new WeakMap<Database, PlannedListener>()

/** Calls `listener` after each commit that changed records of `DISCUSSED`, or wikis. */
export function onPlannedChanged(database: Database, listener: PlannedListener): void {
  listeners.set(database, listener)
}

/** Reports a change of `tx` once it is committed: of a record, its comments, or their emoji. */
export function emitPlanned(
  tx: Transaction,
  owners: Partial<Record<DiscussedColumn, number | null | undefined>>,
): void {
  for (const { column, changes } of Object.values(DISCUSSED)) {
    const id = owners[column]
    if (typeof id === 'number') emit(tx, { [changes]: [id] })
  }
}

/** Reports a deletion by `tx` once it is committed. */
export function emitDeletedPlanned(tx: Transaction, deleted: DeletedPlanned): void {
  emit(tx, { deletedPlanned: [deleted] })
}

/** Reports that `tx` has changed pages of the wiki of a project or group, once it is committed. */
export function emitWiki(tx: Transaction, owners: keyof WikiOwners, id: number): void {
  emit(tx, { [owners]: [id] })
}

function emit(tx: Transaction, change: ChangedRecords): void {
  const listener = listeners.get(storeOf(tx))
  if (listener) afterCommit(tx, () => listener(change))
}
