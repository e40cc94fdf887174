import { JOB_FAILURES, TRIGGER_JOB_FAILURES } from '../../../error-catalogue/failure-reasons.js'
import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { EngineRepositories } from '../engine/engine-deps.js'
import { readableCommit } from '../engine/readable-commit.js'
import { caseDigest, failureCounts } from '../storage/artifacts/test-history.js'
import { suiteOfJob, type TestReports } from '../storage/artifacts/test-reports.js'
import { explainLog } from '../storage/log-failure.js'
import type { TraceIndexes } from '../storage/trace-indexes.js'
import type { Traces } from '../storage/traces.js'
import { causeOf } from './cause.js'
import { fit } from './fit.js'
import { findHistory, historyOf, type HistoryRow } from './job-history.js'
import { presentFailedStep, readSteps } from './job-steps.js'
import { hasReadableLog } from './readable-log.js'
import type { JobFailure } from './schema.js'
import { testMessage } from './test-message.js'

export interface JobFailureDeps {
  database: Database
  logger: Logger
  testReports: TestReports
  traceIndexes: TraceIndexes
  traces: Pick<Traces, 'readSteps'>
  repositories: Pick<EngineRepositories, 'commitsSince' | 'readCommit'>
}

/** What the caller may read, who may read pipelines. */
export interface FailureReader {
  accessLevel: number
  mayReadCode: boolean
}

/** Bytes of the lines of the log. */
const LOG_BYTES = 900
/** Lines before the failing one at the address of the log. */
const LINES_BEFORE = 20
const LINES_AROUND = 60
const MAX_TESTS = 3
const TEST_NAME = 120
const TEST_MESSAGE = 200
const MAX_COMMITS = 50
const SHOWN_COMMITS = 3
const TITLE = 80

/** Why a failed job failed, in at most 2 KiB. `projectUrl`: address of the project's pages. */
export async function describeFailure(
  deps: JobFailureDeps,
  job: JobRow,
  reader: FailureReader,
  projectUrl: string,
): Promise<JobFailure> {
  const reason = job.failure_reason ?? 'unknown_failure'
  const catalogue: Record<string, { meaning: string; remedy: string }> = {
    ...JOB_FAILURES,
    ...TRIGGER_JOB_FAILURES,
  }
  const { meaning, remedy } = catalogue[reason] ?? JOB_FAILURES.unknown_failure
  const tests = await describeTests(deps, job)
  const url = `${projectUrl}/-/jobs/${job.id}`
  return fit({
    job: { id: job.id, name: job.name, stage: job.stage, pipeline_id: job.pipeline_id },
    cause: causeOf(reason),
    failure_reason: reason,
    meaning,
    remedy,
    exit_code: job.exit_code,
    ...(await describeLog(deps, job, reader)),
    ...(tests ? { tests } : {}),
    history: await describeHistory(deps, job, reader),
    web_url: url,
    ...(reader.mayReadCode && job.kind === 'build' ? { local: `switchyard local --from ${url}` } : {}),
  })
}

async function describeLog(
  { traceIndexes, traces }: JobFailureDeps,
  job: JobRow,
  { accessLevel }: FailureReader,
): Promise<Pick<JobFailure, 'step' | 'log'>> {
  if (!hasReadableLog(accessLevel, job)) return {}
  const steps = await readSteps(traces, job)
  return traceIndexes.withLog(job, { isFinished: true }, async (log) => {
    const step = await presentFailedStep(log, steps, job)
    const found = log && (await explainLog(log, LOG_BYTES, step?.section))
    const from = found && Math.max(1, found.line - LINES_BEFORE)
    return {
      ...(step ? { step } : {}),
      ...(found
        ? {
            log: {
              failing_line: found.line,
              lines: found.lines,
              full: `${apiPath(job)}/trace/lines?from=${from}&count=${LINES_AROUND}`,
            },
          }
        : {}),
    }
  })
}

async function describeTests(
  { database, testReports }: JobFailureDeps,
  job: JobRow,
): Promise<JobFailure['tests']> {
  const report = await testReports.ofJob(job.id)
  const count = report ? report.failed_count + report.error_count : 0
  if (!report || count === 0) return undefined
  const suite = report.suite ?? suiteOfJob(job.name)
  const cases: { name: string; message: string | null; digest: string }[] = []
  for await (const { testCase } of testReports.placedCasesOf(report, { statuses: ['failed', 'error'] })) {
    const { name, system_output: output } = testCase
    const message = testMessage(output ?? '')?.slice(0, TEST_MESSAGE) ?? null
    cases.push({ name: name.slice(0, TEST_NAME), message, digest: caseDigest(suite, testCase) })
    if (cases.length === MAX_TESTS) break
  }
  const counts = await failureCounts(
    database,
    job.project_id,
    cases.map(({ digest }) => digest),
  )
  const failed = cases.map(({ name, message, digest }) => {
    const { failures = 1, flaky = 0 } = counts.get(digest) ?? {}
    return { name, message, failures, flaky }
  })
  return {
    failed_count: count,
    failed,
    flaky_odds: flakyOdds(failed),
    full: `/api/v4/projects/${job.project_id}/pipelines/${job.pipeline_id}/test_cases?status=failed`,
  }
}

/** The test with the lowest share decides: if it fails for a reason, the job does. */
export function flakyOdds(tests: readonly { failures: number; flaky: number }[]): number | null {
  const shares = tests.filter(({ failures }) => failures > 1).map(({ failures, flaky }) => flaky / failures)
  return shares.length < tests.length || shares.length === 0
    ? null
    : Math.round(Math.min(...shares) * 100) / 100
}

async function describeHistory(
  deps: JobFailureDeps,
  job: JobRow,
  { mayReadCode }: FailureReader,
): Promise<JobFailure['history']> {
  const { own, rows } = await findHistory(deps.database, job)
  const { recent, firstFailed, lastPassed } = historyOf(own, rows)
  const commits =
    mayReadCode && lastPassed ? await describeCommits(deps, job, lastPassed, firstFailed) : undefined
  return {
    recent,
    first_failed: present(firstFailed),
    last_passed: lastPassed ? present(lastPassed) : null,
    ...(commits ? { commits } : {}),
  }
}

function present({ id, pipeline_id, sha }: HistoryRow): JobFailure['history']['first_failed'] {
  return { id: pipeline_id, job_id: id, sha }
}

async function describeCommits(
  { repositories }: JobFailureDeps,
  { project_id }: JobRow,
  { sha: from }: HistoryRow,
  { sha: to }: HistoryRow,
): Promise<JobFailure['history']['commits']> {
  const ids = await repositories.commitsSince(project_id, from, to, MAX_COMMITS)
  if (!ids) return undefined
  const newest = await Promise.all(
    ids.slice(0, SHOWN_COMMITS).map((id) => readableCommit(repositories, project_id, id)),
  )
  return {
    count: ids.length,
    newest: newest.flatMap((commit) =>
      commit
        ? [
            {
              id: commit.id.slice(0, 8),
              title: commit.title.slice(0, TITLE),
              author: commit.authorName.slice(0, TITLE),
            },
          ]
        : [],
    ),
    full: `/api/v4/projects/${project_id}/repository/compare?from=${from}&to=${to}`,
  }
}

function apiPath({ id, project_id }: JobRow): string {
  return `/api/v4/projects/${project_id}/jobs/${id}`
}
