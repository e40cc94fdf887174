import type { Timestamp } from '../columns.js'

/** Summary of the test report of one job; the test cases are stored as a blob. */
export interface TestReportTable {
  job_id: number
  /** Error of an unreadable report; its counts are then 0. */
  suite_error: string | null
  /** In seconds. */
  total_time: number
  success_count: number
  failed_count: number
  skipped_count: number
  error_count: number
  /** Empty if there are no test cases, or they have expired. */
  blob_key: string
  created_at: Timestamp
}
