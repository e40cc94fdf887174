import { groupBy } from '../../../lib/group-by.js'
import { type PipelineTestReport, suiteOfJob } from '../storage/artifacts/test-reports.js'

/** The reports of the instances of one job, which pages show as one suite (CI language, 17.2). */
export interface TestSuite {
  name: string
  /** The readable reports. */
  reports: PipelineTestReport[]
  jobIds: number[]
  time: number
  success: number
  failed: number
  skipped: number
  error: number
  suiteError: string | null
}

/** In order of first appearance. A suite with an unreadable part counts no tests. */
export function testSuitesOf(reports: PipelineTestReport[]): TestSuite[] {
  return [...groupBy(reports, (report) => suiteOfJob(report.job_name))].map(([name, parts]) =>
    suiteOf(name, parts),
  )
}

function suiteOf(name: string, reports: PipelineTestReport[]): TestSuite {
  const suiteError = reports.find(({ suite_error }) => suite_error !== null)?.suite_error ?? null
  const counting = suiteError === null ? reports : []
  return {
    name,
    reports: counting,
    jobIds: reports.map(({ job_id }) => job_id),
    suiteError,
    time: sum(counting.map(({ total_time }) => total_time)),
    success: sum(counting.map(({ success_count }) => success_count)),
    failed: sum(counting.map(({ failed_count }) => failed_count)),
    skipped: sum(counting.map(({ skipped_count }) => skipped_count)),
    error: sum(counting.map(({ error_count }) => error_count)),
  }
}

/** Each figure of all suites together. */
export function totalOf(suites: TestSuite[]): Omit<TestSuite, 'name' | 'reports' | 'jobIds' | 'suiteError'> {
  return {
    time: sum(suites.map(({ time }) => time)),
    success: sum(suites.map(({ success }) => success)),
    failed: sum(suites.map(({ failed }) => failed)),
    skipped: sum(suites.map(({ skipped }) => skipped)),
    error: sum(suites.map(({ error }) => error)),
  }
}

export function countOf({
  success,
  failed,
  skipped,
  error,
}: Pick<TestSuite, 'success' | 'failed' | 'skipped' | 'error'>): number {
  return success + failed + skipped + error
}

/** Rounds the sum to hide binary rounding errors. */
function sum(numbers: number[]): number {
  const total = numbers.reduce((one, other) => one + other, 0)
  return Math.round(total * 1e6) / 1e6
}
