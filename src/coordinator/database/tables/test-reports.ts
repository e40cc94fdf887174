import type { Id, Timestamp } from '../columns.js'

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
  /** The place of the report in the history of its job; null in reports of before there was a history. */
  project_id: number | null
  pipeline_id: number | null
  /** Name of the job without the number of a parallel instance. */
  suite: string | null
  ref: string | null
  tag: boolean | null
  sha: string | null
}

/** A test case that has failed in the last 90 days. */
export interface TestCaseTable {
  id: Id
  project_id: number
  /** Identifies the case in the project by suite, class and name. */
  digest: string
  suite: string
  name: string
  classname: string
  file: string | null
  /** The last failure. */
  failed_at: Timestamp
  /** The last failure that counts as flaky; null = none. */
  flaky_at: Timestamp | null
}

/** A failure of a test case in the report of one job. */
export interface TestFailureTable {
  case_id: number
  job_id: number
  pipeline_id: number
  ref: string
  tag: boolean
  sha: string
  /** Whether the case passed in another report of the same job name and commit. */
  flaky: boolean
  created_at: Timestamp
}
