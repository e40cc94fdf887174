import type { Transaction } from '../../../database/transaction.js'
import type { MergeRequestRow, VersionRow } from '../../stores/merge-request-store.js'

/** A version of a merge request. */
export interface NewVersion {
  /** After the change. */
  row: MergeRequestRow
  version: VersionRow
  /** Head of the version before; null for the first one. */
  previousHead: string | null
  /** The user who has pushed; null if nobody is known, as for the first version. */
  pushedById: number | null
}

/** What follows from the comparison of a merge request with its branches. */
export interface RefreshListeners {
  /** In the transaction that stores the version. */
  onVersion?: (tx: Transaction, change: NewVersion) => Promise<void>
  /** After that transaction. It is called again if the coordinator stops before it returns. */
  afterVersion?: (change: NewVersion) => Promise<void>
  /** After each comparison of an open merge request, before it may be marked as merged. */
  onCompared?: (row: MergeRequestRow, version: VersionRow, signal: AbortSignal) => Promise<void>
  /** In the transaction that marks it as merged, because a push has brought its commits into the target. */
  onMerged?: (tx: Transaction, before: MergeRequestRow, row: MergeRequestRow) => Promise<void>
  /** In the transaction that stores conflicts of branches that had none, or were not compared before. */
  onConflict?: (tx: Transaction, row: MergeRequestRow) => Promise<void>
  /** In the transaction that stores that branches do not conflict any more. */
  onConflictSolved?: (tx: Transaction, row: MergeRequestRow) => Promise<void>
}
