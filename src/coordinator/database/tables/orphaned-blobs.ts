import type { Timestamp } from '../columns.js'

/** A blob that no row names and that is being deleted. No row may name it while it is marked. */
export interface OrphanedBlobTable {
  blob_key: string
  marked_at: Timestamp
}
