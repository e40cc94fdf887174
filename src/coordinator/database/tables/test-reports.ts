import type { Timestamp } from '../columns.js'

/** What the test report of one job comes to; the cases themselves are a blob. */
export interface TestReportTable {
  job_id: number
  /** Why it cannot be read; its counts are 0 then. */
  suite_error: string | null
  /** Seconds. */
  total_time: number
  success_count: number
  failed_count: number
  skipped_count: number
  error_count: number
  /** Empty when there are no cases, or they have expired. */
  blob_key: string
  created_at: Timestamp
}
