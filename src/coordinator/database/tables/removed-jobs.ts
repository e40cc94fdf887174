import type { Timestamp } from '../columns.js'

/** Jobs that were deleted while files of theirs may be left: log, artifacts, reports. */
export interface RemovedJobTable {
  job_id: number
  project_id: number
  created_at: Timestamp
}
