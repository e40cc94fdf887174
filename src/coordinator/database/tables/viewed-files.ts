import type { Timestamp } from '../columns.js'

/** A changed file of a merge request that a user has marked as viewed. */
export interface ViewedFileTable {
  merge_request_id: number
  user_id: number
  /** Names the path and the change: a file that changes again has another digest, and is not viewed. */
  digest: string
  viewed_at: Timestamp
}
