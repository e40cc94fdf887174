import type { Id, Timestamp } from '../columns.js'

/** A commit of the target project that a merge request shows besides its own, so that it is understood (API, F4). */
export interface ContextCommitTable {
  id: Id
  merge_request_id: number
  sha: string
  created_at: Timestamp
}
