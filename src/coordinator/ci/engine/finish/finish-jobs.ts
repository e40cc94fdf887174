import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { MissingCapability } from '../../../database/tables/job-columns.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advanceAfterSuccess, advancePipeline } from '../advance/advance-pipeline.js'
import { type StatesAndStatuses, statesAndStatuses, toStatesAndStatuses } from '../advance/saved-statuses.js'
import { recordSuccess } from '../deployments/after-job.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob, findJobs, setCoverage } from '../job-store.js'
import { closeSucceeded } from '../jobs/close-job.js'
import { endJob } from '../jobs/end-job.js'
import type { JobEnd } from '../jobs/job-end.js'
import { lockPipeline } from '../pipeline-store.js'

/** The final result that a runner reports. */
export type JobResult = (
  | { status: 'success' }
  | {
      status: 'failed'
      reason: FailureReason
      exitCode?: number | undefined
      /** The capability that the job cannot run without. */
      missing?: MissingCapability
    }
) & {
  /** Coverage from the log. */
  coverage?: number | undefined
}

/** The ended job, or that its token is no longer valid. */
export type FinishResult = JobRow | 'not-running'

/** A report of a runner, with the row that was read to check the job token. */
export interface Report {
  job: JobRow
  result: JobResult
  /** URL of the environment after the job. */
  address: string | undefined
}

/**
 * Ends jobs of one pipeline in one transaction. `take` returns the reports; it is called once the pipeline is locked.
 * The first of several reports for a job counts.
 */
export function finishJobs(
  deps: EngineDeps,
  pipelineId: number,
  take: () => readonly Report[],
): Promise<FinishResult[]> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipelineId)
    const reports = take()
    const firsts = firstOfEachJob(reports)
    const { ended, current } = await finishSucceeded(deps, tx, pipelineId, firsts)
    const succeeded = [...ended.values()]
    for (const report of firsts) {
      const job = ended.has(report) ? undefined : await finishOther(deps, tx, report)
      if (job) ended.set(report, job)
    }
    if (ended.size > succeeded.length) await advancePipeline(deps, tx, pipelineId)
    else if (current) await advanceAfterSuccess(deps, tx, pipelineId, { jobs: succeeded, current })
    return reports.map((report) => ended.get(report) ?? 'not-running')
  })
}

function firstOfEachJob(reports: readonly Report[]): Report[] {
  const firsts = new Map<number, Report>()
  for (const report of reports) if (!firsts.has(report.job.id)) firsts.set(report.job.id, report)
  return [...firsts.values()]
}

/** The jobs that have ended, and the pipeline as it then is; undefined if none has ended. */
interface SuccessfulEnds {
  ended: Map<Report, JobRow>
  current: StatesAndStatuses | undefined
}

/** Ends the running jobs that have succeeded, all together: none has consequences for another. */
async function finishSucceeded(
  deps: EngineDeps,
  tx: Transaction,
  pipelineId: number,
  reports: readonly Report[],
): Promise<SuccessfulEnds> {
  const ended = new Map<Report, JobRow>()
  const successes = reports.filter(({ result }) => result.status === 'success')
  if (successes.length === 0) return { ended, current: undefined }
  const current = await findJobs(
    tx,
    successes.map(({ job }) => job.id),
  )
  const byId = new Map(current.map((job) => [job.id, job]))
  const running = successes.flatMap((report) => {
    const job = byId.get(report.job.id)
    const isRunning = job?.status === 'running' && isSameRun(job, report.job)
    return isRunning ? [{ report, job, coverage: report.result.coverage }] : []
  })
  if (running.length === 0) return { ended, current: undefined }
  const { closed, results } = await closeSucceeded(deps, tx, running, statesAndStatuses(tx, pipelineId))
  for (const [index, { report }] of running.entries()) {
    const job = closed[index] as JobRow // one for each
    await recordSuccess(deps, tx, job, report.address)
    ended.set(report, job)
  }
  return { ended, current: toStatesAndStatuses(pipelineId, results) }
}

/** Undefined if the job runs no more, or again. Reads the job, because an earlier report may have canceled it. */
async function finishOther(deps: EngineDeps, tx: Transaction, report: Report): Promise<JobRow | undefined> {
  const current = await findJob(tx, report.job.id)
  if (!current || !isSameRun(current, report.job)) return undefined
  if (report.result.coverage !== undefined) await setCoverage(tx, current.id, report.result.coverage)
  return endJob(deps, tx, current, jobEnd(report.result), report.address)
}

/** The token has changed if the job was dispatched to another runner since it was read. */
function isSameRun(current: JobRow, read: JobRow): boolean {
  return current.token_digest !== null && current.token_digest === read.token_digest
}

function jobEnd(result: JobResult): JobEnd {
  if (result.status === 'success') return { status: 'success' }
  const { reason, exitCode, missing } = result
  return {
    status: 'failed',
    failure_reason: reason,
    exit_code: exitCode,
    ...(missing && { waited_for: JSON.stringify(missing) }),
  }
}
