import { groupBy } from '../../../../lib/group-by.js'
import type { TakeRequests } from '../../../../lib/turns.js'
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
import { lockFreePipelines, lockPipeline } from '../pipeline-store.js'
import { requestSite } from '../sites/site-store.js'

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
 * Ends jobs in one transaction. `take` returns the reports, which are for one pipeline, or for any. The first of several
 * reports for a job counts. A turn for one pipeline waits for its lock. One for any of them does not: what another
 * transaction has locked is `locked`, and delays nothing else.
 */
export function finishJobs(
  deps: EngineDeps,
  turn: number | 'any',
  take: TakeRequests<Report>,
): Promise<(FinishResult | 'locked')[]> {
  return inTransaction(deps.database, async (tx) => {
    const locked = await lockForTurn(deps, tx, turn, take)
    const reports = take(({ job }) => locked.has(job.pipeline_id))
    const firsts = firstOfEachJob(reports.filter(({ job }) => locked.has(job.pipeline_id)))
    const { ended, current } = await finishSucceeded(deps, tx, firsts)
    for (const [pipelineId, ofPipeline] of groupBy(firsts, ({ job }) => job.pipeline_id)) {
      const succeeded = ofPipeline.flatMap((report) => ended.get(report) ?? [])
      const others = await finishOthers(
        deps,
        tx,
        ofPipeline.filter((report) => !ended.has(report)),
      )
      for (const [report, job] of others) ended.set(report, job)
      const read = current.get(pipelineId)
      if (others.size > 0) await advancePipeline(deps, tx, pipelineId)
      else if (read) await advanceAfterSuccess(deps, tx, pipelineId, { jobs: succeeded, current: read })
    }
    const notEnded = ({ job }: Report) => (locked.has(job.pipeline_id) ? 'not-running' : 'locked')
    return reports.map((report) => ended.get(report) ?? notEnded(report))
  })
}

/** Returns the IDs of the pipelines that are locked now. */
async function lockForTurn(
  { dialect }: EngineDeps,
  tx: Transaction,
  turn: number | 'any',
  take: TakeRequests<Report>,
): Promise<Set<number>> {
  if (turn === 'any') {
    const ids = new Set(take().map(({ job }) => job.pipeline_id))
    return lockFreePipelines(tx, dialect, [...ids])
  }
  await lockPipeline(tx, dialect, turn)
  return new Set([turn])
}

function firstOfEachJob(reports: readonly Report[]): Report[] {
  const firsts = new Map<number, Report>()
  for (const report of reports) if (!firsts.has(report.job.id)) firsts.set(report.job.id, report)
  return [...firsts.values()]
}

interface SuccessfulEnds {
  ended: Map<Report, JobRow>
  /** The pipelines of these jobs as they then are, by ID. */
  current: ReadonlyMap<number, StatesAndStatuses>
}

/** Ends the running jobs that have succeeded, all together: none has consequences for another. */
async function finishSucceeded(
  deps: EngineDeps,
  tx: Transaction,
  reports: readonly Report[],
): Promise<SuccessfulEnds> {
  const ended = new Map<Report, JobRow>()
  const successes = reports.filter(({ result }) => result.status === 'success')
  if (successes.length === 0) return { ended, current: new Map() }
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
  if (running.length === 0) return { ended, current: new Map() }
  const pipelineIds = [...new Set(running.map(({ job }) => job.pipeline_id))]
  const { closed, results } = await closeSucceeded(deps, tx, running, statesAndStatuses(tx, pipelineIds))
  for (const [index, { report }] of running.entries()) {
    const job = closed[index] as JobRow // one for each
    await recordSuccess(deps, tx, job, report.address)
    await requestSite(tx, job)
    ended.set(report, job)
  }
  return { ended, current: toStatesAndStatuses(pipelineIds, results) }
}

async function finishOthers(
  deps: EngineDeps,
  tx: Transaction,
  reports: readonly Report[],
): Promise<Map<Report, JobRow>> {
  const ended = new Map<Report, JobRow>()
  for (const report of reports) {
    const job = await finishOther(deps, tx, report)
    if (job) ended.set(report, job)
  }
  return ended
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
