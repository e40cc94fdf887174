import type { Timestamp } from '../columns.js'

/** Deleted jobs whose files may remain: log, artifacts, reports. */
export interface RemovedJobTable {
  job_id: number
  project_id: number
  created_at: Timestamp
}
