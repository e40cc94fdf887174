import { caseDigest } from '../storage/artifacts/test-history.js'
import {
  isFailure,
  type PipelineTestReport,
  suiteOfJob,
  type TestCase,
} from '../storage/artifacts/test-reports.js'
import type {
  TestCaseRecord,
  TestReportRecord,
  TestReportSummary,
  TestSuiteRecord,
} from './test-report-schema.js'
import { countOf, type TestSuite, totalOf } from './test-suites.js'

export interface PresentCaseOptions {
  /** URL of a file in the archive of a job. */
  fileUrl: (jobId: number, path: string) => string
  /** Numbers of recent failures on the branch, by digest. */
  recent: ReadonlyMap<string, number>
  /** The default branch of the project; null if it has none. */
  branch: string | null
}

export interface TestReportSource extends PresentCaseOptions {
  casesOf: (report: PipelineTestReport) => AsyncIterable<TestCase>
}

/** Writes the report as chunks of JSON (`TestReportRecord`), because it may be too large for memory. */
export async function* writeTestReport(
  suites: TestSuite[],
  source: TestReportSource,
): AsyncGenerator<string> {
  const head: Omit<TestReportRecord, 'test_suites'> = counts(totalOf(suites))
  yield `${openObject(head)},"test_suites":[`
  for (const [index, suite] of suites.entries()) {
    if (index > 0) yield ','
    yield* writeSuite(suite, source)
  }
  yield ']}'
}

async function* writeSuite(suite: TestSuite, source: TestReportSource): AsyncGenerator<string> {
  const head: Omit<TestSuiteRecord, 'test_cases'> = {
    name: suite.name,
    ...counts(suite),
    suite_error: suite.suiteError,
  }
  yield `${openObject(head)},"test_cases":[`
  let separator = ''
  for (const report of suite.reports) {
    for await (const testCase of source.casesOf(report)) {
      yield separator + JSON.stringify(presentCase(testCase, report, source))
      separator = ','
    }
  }
  yield ']}'
}

/** An object without its closing brace. */
function openObject(record: object): string {
  return JSON.stringify(record).slice(0, -1)
}

export function presentCase(
  { attachment, ...testCase }: TestCase,
  { job_id, job_name }: PipelineTestReport,
  { fileUrl, recent, branch }: PresentCaseOptions,
): TestCaseRecord {
  const count = isFailure(testCase.status)
    ? recent.get(caseDigest(suiteOfJob(job_name), testCase))
    : undefined
  return {
    ...testCase,
    stack_trace: null,
    attachment_url: attachment === null ? null : fileUrl(job_id, attachment),
    recent_failures: count === undefined || branch === null ? null : { count, base_branch: branch },
  }
}

export function presentTestReportSummary(suites: TestSuite[]): TestReportSummary {
  const total = totalOf(suites)
  return {
    total: { ...total, count: countOf(total), suite_error: null },
    test_suites: suites.map((suite) => ({
      name: suite.name,
      ...counts(suite),
      suite_error: suite.suiteError,
      build_ids: suite.jobIds,
    })),
  }
}

function counts(figures: ReturnType<typeof totalOf>) {
  return {
    total_time: figures.time,
    total_count: countOf(figures),
    success_count: figures.success,
    failed_count: figures.failed,
    skipped_count: figures.skipped,
    error_count: figures.error,
  }
}
