import type { Generated } from 'kysely'

import type { Timestamp } from '../columns.js'

/** The log of a finished job in the blob store. */
export interface StoredLogTable {
  job_id: number
  project_id: number
  /** The blob that is being written. */
  upload_key: string | null
  /** When it began, or was last renewed. */
  upload_started_at: Timestamp | null
  /** The log. Null while it is written for the first time. */
  blob_key: string | null
  /** When its bytes arrived, if that is known. */
  times_key: string | null
  /** Bytes of the log. */
  size: number
  /** How the lines of the scripts ended, as JSON; null if that is not known. */
  steps: Generated<string | null>
}
