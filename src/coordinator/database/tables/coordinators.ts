import type { Timestamp } from '../columns.js'

/** A coordinator process, as it has described itself last. */
export interface CoordinatorTable {
  /** Generated at its start. */
  id: string
  host: string
  pid: number
  version: string
  /** Number of its open live streams. */
  streams: number
  /** Resident memory. */
  memory_bytes: number
  started_at: Timestamp
  seen_at: Timestamp
}
