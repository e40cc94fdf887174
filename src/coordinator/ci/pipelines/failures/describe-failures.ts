import pMap from 'p-map'

import type { Logger } from '../../../../lib/logger.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { missingBytes } from '../../engine/missing-bytes.js'
import { causeOf } from '../../failures/cause.js'
import { presentFailedStep, readSteps } from '../../failures/job-steps.js'
import { hasReadableLog } from '../../failures/readable-log.js'
import { testMessage } from '../../failures/test-message.js'
import { caseDigest } from '../../storage/artifacts/test-history.js'
import {
  type PipelineTestReport,
  suiteOfJob,
  type TestReports,
} from '../../storage/artifacts/test-reports.js'
import { findLogFailure, readAround } from '../../storage/log-failure.js'
import type { OpenLog, TraceIndexes } from '../../storage/trace-indexes.js'
import type { Traces } from '../../storage/traces.js'
import type { FailedTest, PipelineFailure } from './schema.js'
import { countRecent, type FailedJob, findFailedJobs, type RecentCount } from './store.js'

export interface FailuresDeps {
  database: Database
  logger: Logger
  testReports: TestReports
  traceIndexes: TraceIndexes
  traces: Pick<Traces, 'readSteps'>
}

const LINES = 40
const LINE_BYTES = 1024
const TESTS = 10
const OUTPUT_CHARACTERS = 2000
const LOGS_AT_ONCE = 4

/** The failed jobs of a pipeline. `accessLevel`: the level of the caller, who may read pipelines. */
export async function describeFailures(
  deps: FailuresDeps,
  pipeline: PipelineRow,
  accessLevel: number,
): Promise<PipelineFailure[]> {
  const { database, testReports } = deps
  const jobs = await findFailedJobs(database, pipeline.id)
  if (jobs.length === 0) return []
  const names = jobs.map(({ name }) => name)
  const recent = await countRecent(database, pipeline, names)
  const reports = new Map(
    (await testReports.ofPipeline(pipeline.id)).map((report) => [report.job_id, report]),
  )
  return pMap(
    jobs,
    async (job) => {
      const report = reports.get(job.id)
      return {
        ...presentJob(job),
        ...(await excerptOf(deps, job, accessLevel)),
        failed_tests: report ? await failedTests(testReports, report) : [],
        failed_tests_count: report ? failuresIn(report) : 0,
        recent: recentOf(job.name, recent),
      }
    },
    { concurrency: LOGS_AT_ONCE },
  )
}

function presentJob(job: FailedJob) {
  const { id, project_id, name, kind, stage, status, allow_failure, failure_reason, exit_code } = job
  return {
    id,
    name,
    kind: kind === 'bridge' ? ('trigger' as const) : ('job' as const),
    stage,
    status,
    allow_failure,
    failure_reason: failure_reason ?? 'unknown_failure',
    exit_code,
    cause: causeOf(failure_reason ?? 'unknown_failure'),
    failure: kind === 'bridge' ? null : `/api/v4/projects/${project_id}/jobs/${id}/failure`,
  }
}

type Excerpt = Pick<PipelineFailure, 'step' | 'section' | 'first_line' | 'failing_line' | 'lines' | 'style'>
type CheckedExcerpt = Excerpt & Pick<PipelineFailure, 'missing_bytes'>

const NO_LINES: Excerpt = {
  step: null,
  section: null,
  first_line: null,
  failing_line: null,
  lines: [],
  style: '',
}

async function excerptOf(
  { traceIndexes, traces, ...deps }: FailuresDeps,
  job: FailedJob,
  accessLevel: number,
): Promise<CheckedExcerpt> {
  if (!hasReadableLog(accessLevel, job)) return { ...NO_LINES, missing_bytes: 0 }
  const steps = await readSteps(traces, job)
  return traceIndexes.withLog(job, { isFinished: true }, async (log) => {
    const step = await presentFailedStep(log, steps, job)
    return {
      ...(log ? await failingLines(log, step?.section) : NO_LINES),
      step: step ?? null,
      missing_bytes: await missingBytes(deps, job, log?.view.bytes ?? 0),
    }
  })
}

async function failingLines(log: OpenLog, section: string | undefined): Promise<Omit<Excerpt, 'step'>> {
  const failure = await findLogFailure(log, section)
  if (!failure) return NO_LINES
  const { from, lines, style } = await readAround(log, failure, { count: LINES, maxLineBytes: LINE_BYTES })
  return {
    section: failure.section,
    first_line: from,
    failing_line: failure.line,
    lines: lines.map(({ text }) => text),
    style,
  }
}

async function failedTests(testReports: TestReports, report: PipelineTestReport): Promise<FailedTest[]> {
  const wanted = Math.min(TESTS, failuresIn(report))
  const tests: FailedTest[] = []
  if (wanted === 0) return tests
  for await (const { testCase } of testReports.placedCasesOf(report, { statuses: ['failed', 'error'] })) {
    const { name, classname, system_output } = testCase
    const suite = report.suite ?? suiteOfJob(report.job_name)
    tests.push({
      name,
      classname,
      suite,
      digest: caseDigest(suite, testCase),
      message: testMessage(system_output ?? ''),
      output: system_output?.slice(0, OUTPUT_CHARACTERS) ?? null,
    })
    if (tests.length === wanted) break
  }
  return tests
}

function failuresIn({ failed_count, error_count }: PipelineTestReport): number {
  return failed_count + error_count
}

function recentOf(name: string, counts: readonly RecentCount[]): PipelineFailure['recent'] {
  const ofName = counts.filter((each) => each.name === name)
  const sum = (rows: readonly RecentCount[]) => rows.reduce((total, { count }) => total + count, 0)
  return { failed: sum(ofName.filter(({ status }) => status === 'failed')), of: sum(ofName) }
}
