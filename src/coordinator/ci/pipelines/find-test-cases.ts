import { invalidParameters } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import {
  isFailure,
  type PipelineTestReport,
  suiteOfJob,
  type TestCase,
  type TestReports,
  type TestStatus,
} from '../storage/artifacts/test-reports.js'
import type { ListTestCases } from './test-case-schema.js'

export interface FoundCase {
  report: PipelineTestReport
  testCase: TestCase
}

export interface CasesPage {
  found: FoundCase[]
  /** Token of the next page; undefined = this is the last one. */
  next: string | undefined
}

type Filter = Pick<ListTestCases, 'status' | 'suite' | 'job' | 'search' | 'min_time' | 'page_token'>

/** Statuses in the order in which their tests are listed. */
const PHASES: readonly (readonly TestStatus[])[] = [
  ['failed', 'error'],
  ['success', 'skipped'],
]

/** Where a page ends. */
interface CasePosition {
  phase: number
  jobId: number
  /** Position of the last case in its report; -1 = before the first one. */
  position: number
}

/**
 * One page of the tests of some reports, which are read until the page is full. Tests that failed come first, then the
 * reports in the order of their jobs. Throws 400 for an invalid token.
 */
export async function findCases(
  testReports: TestReports,
  reports: readonly PipelineTestReport[],
  filter: Filter,
  { perPage, offset }: Pick<Paging, 'perPage' | 'offset'>,
  signal: AbortSignal,
): Promise<CasesPage> {
  const start = filter.page_token === undefined ? undefined : parsePageToken(filter.page_token)
  const found: FoundCase[] = []
  let toSkip = start ? 0 : offset
  let last: CasePosition | undefined
  for await (const { at, ...one } of casesFrom(testReports, reports, filter, start)) {
    signal.throwIfAborted()
    if (toSkip-- > 0) continue
    if (found.length === perPage) return { found, next: last && tokenOf(last) }
    found.push(one)
    last = at
  }
  return { found, next: undefined }
}

/** The slowest of the tests that the filter selects, the slowest first; at most `count`. */
export async function findSlowest(
  testReports: TestReports,
  reports: readonly PipelineTestReport[],
  filter: Omit<Filter, 'page_token'>,
  count: number,
  signal: AbortSignal,
): Promise<FoundCase[]> {
  const found: FoundCase[] = []
  const matches = matcherOf(filter)
  const statuses = filter.status === undefined ? PHASES.flat() : [filter.status]
  const minTime = () => (found.length < count ? 0 : (found.at(-1)?.testCase.execution_time ?? 0))
  for (const report of reports.filter((each) => isWanted(each, filter))) {
    for await (const { testCase } of testReports.placedCasesOf(report, { statuses, minTime })) {
      signal.throwIfAborted()
      if (!matches(testCase)) continue
      const index = found.findIndex((other) => other.testCase.execution_time < testCase.execution_time)
      found.splice(index < 0 ? found.length : index, 0, { report, testCase })
      found.length = Math.min(found.length, count)
    }
  }
  return found
}

async function* casesFrom(
  testReports: TestReports,
  reports: readonly PipelineTestReport[],
  filter: Filter,
  start: CasePosition | undefined,
): AsyncGenerator<FoundCase & { at: CasePosition }> {
  const matches = matcherOf(filter)
  for (const [phase, all] of PHASES.entries()) {
    const statuses = all.filter((status) => filter.status === undefined || status === filter.status)
    if (statuses.length === 0 || phase < (start?.phase ?? 0)) continue
    for (const report of reports) {
      const at = { phase, jobId: report.job_id }
      const after = positionAfter(start, at)
      let left = countOf(report, statuses)
      if (!isWanted(report, filter) || after === undefined || left === 0) continue
      for await (const { position, testCase } of testReports.placedCasesOf(report, { statuses, after })) {
        if (matches(testCase)) yield { report, testCase, at: { ...at, position } }
        // What comes behind the last one of these statuses need not be read.
        if (after < 0 && --left === 0) break
      }
    }
  }
}

/** The position in the report after which cases are wanted; undefined if the report comes before the start. */
function positionAfter(
  start: CasePosition | undefined,
  at: Omit<CasePosition, 'position'>,
): number | undefined {
  if (!start || at.phase > start.phase || at.jobId > start.jobId) return -1
  return at.jobId === start.jobId ? start.position : undefined
}

function countOf(report: PipelineTestReport, statuses: readonly TestStatus[]): number {
  return statuses.reduce((sum, status) => sum + report[`${status}_count`], 0)
}

function isWanted({ job_id, job_name }: PipelineTestReport, { suite, job }: Filter): boolean {
  return (suite === undefined || suiteOfJob(job_name) === suite) && (job === undefined || job_id === job)
}

function matcherOf({ search, min_time = 0 }: Filter): (testCase: TestCase) => boolean {
  const wanted = search?.toLowerCase()
  return ({ name, classname, file, execution_time }) => {
    if (execution_time < min_time) return false
    if (wanted === undefined) return true
    return [name, classname, file ?? ''].some((text) => text.toLowerCase().includes(wanted))
  }
}

function tokenOf({ phase, jobId, position }: CasePosition): string {
  return [phase, jobId, position].join('.')
}

function parsePageToken(token: string): CasePosition {
  const [, phase, jobId, position] = /^([01])\.(\d{1,15})\.(\d{1,9})$/.exec(token) ?? []
  if (position === undefined) throw invalidParameters('page_token is invalid')
  return { phase: Number(phase), jobId: Number(jobId), position: Number(position) }
}

/** The reports that have failures on the page. */
export function jobsWithFailures(found: readonly FoundCase[]): number[] {
  const failed = found.filter(({ testCase }) => isFailure(testCase.status))
  return [...new Set(failed.map(({ report }) => report.job_id))]
}
