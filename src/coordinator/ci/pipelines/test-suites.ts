import type { PipelineTestReport } from '../storage/artifacts/test-reports.js'

/** The reports of the instances of one job: what pages show as one suite (CI language, 17.2). */
export interface TestSuite {
  name: string
  /** Those that can be read. */
  reports: PipelineTestReport[]
  jobIds: number[]
  time: number
  success: number
  failed: number
  skipped: number
  error: number
  suiteError: string | null
}

/** In the order in which their names come first. A suite of which a part cannot be read counts nothing. */
export function testSuitesOf(reports: PipelineTestReport[]): TestSuite[] {
  const groups = new Map<string, PipelineTestReport[]>()
  for (const report of reports) {
    const name = groupName(report.job_name)
    groups.set(name, [...(groups.get(name) ?? []), report])
  }
  return [...groups].map(([name, parts]) => suiteOf(name, parts))
}

/** `rspec 1/3` is a part of `rspec`; instances of a matrix have suites of their own. */
function groupName(jobName: string): string {
  return jobName.replace(/ \d+\/\d+$/, '')
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

/** Sums of times are shown without what adding up binary fractions leaves. */
function sum(numbers: number[]): number {
  const total = numbers.reduce((one, other) => one + other, 0)
  return Math.round(total * 1e6) / 1e6
}
