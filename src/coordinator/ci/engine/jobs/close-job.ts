import type { BridgeFailureReason } from '../../../../error-catalogue/failure-reasons.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { Queries, Results } from '../../../database/execute-together.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import { endLeases } from '../../queue/lease.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { deleteCreationTask } from '../hierarchy/bridge-task-store.js'
import { moveAndReadJob, moveToSuccess } from '../job-status-store.js'
import { isWithRunner } from '../job-status.js'
import { isExcused } from './excused-failure.js'
import type { JobEnd } from './job-end.js'

/** Failure reasons that mean a timeout. */
const TIMEOUTS: ReadonlySet<FailureReason | BridgeFailureReason> = new Set([
  'job_execution_timeout',
  'job_execution_server_timeout',
  'server_timeout_running',
  'server_timeout_canceling',
])

/**
 * Ends a job that was read under the pipeline lock: removes it from the queue and invalidates lease and
 * token. A canceling job ends as canceled, whatever its runner reports (runner protocol, 6.1), and keeps the
 * reason why it did not end by itself. Returns the updated job. The caller applies the consequences (`endJob`).
 */
export async function closeJob(
  deps: Pick<EngineDeps, 'queue' | 'traces' | 'notifications'>,
  tx: Transaction,
  job: JobRow,
  wanted: JobEnd,
): Promise<JobRow> {
  const end = job.status === 'canceling' ? canceledEnd(wanted) : wanted
  const closed = await moveAndReadJob(tx, job, {
    ...end,
    allow_failure: job.allow_failure || isExcused(job.options, end),
    token_digest: null,
    ...endedToken(job),
    scheduled_at: null,
    finished_at: finishedAt(job, end),
    trace_bytes: isWithRunner(job.status) ? await deps.traces.growingSize(job) : null,
  })
  if (!closed) throw new UnexpectedStatusError([job.id], job.status)
  if (job.kind === 'bridge') await deleteCreationTask(tx, job.id)
  else if (job.status === 'pending') await deps.queue.dequeue(tx, [job.id])
  else {
    await endLeases(tx, [job.id])
    afterCommit(tx, () => deps.notifications.emit('runnerConcerned', job.id))
  }
  afterCommit(tx, () => deps.notifications.emit('jobFinished', closed))
  return closed
}

const CANCELING_REASONS = ['no_updates_canceling', 'server_timeout_canceling'] as const

function canceledEnd(wanted: JobEnd): JobEnd {
  const given = wanted.status === 'failed' ? wanted.failure_reason : undefined
  const reason = CANCELING_REASONS.find((known) => known === given)
  return { status: 'canceled', ...(reason && { failure_reason: reason }) }
}

/** A running job that has succeeded. */
export interface Succeeded {
  job: JobRow
  /** Percent, found in the log. */
  coverage: number | undefined
}

/**
 * As `closeJob`, for running jobs that have all succeeded. Returns them in the same order, and the results of
 * `then`, which is executed afterwards in the same round trip.
 */
export async function closeSucceeded<Rows extends unknown[]>(
  deps: Pick<EngineDeps, 'traces' | 'notifications'>,
  tx: Transaction,
  succeeded: readonly Succeeded[],
  then: Queries<Rows>,
): Promise<{ closed: JobRow[]; results: Results<Rows> }> {
  const ends = await Promise.all(
    succeeded.map(async ({ job, coverage = null }) => ({
      job,
      end: { id: job.id, trace_bytes: await deps.traces.growingSize(job), coverage },
    })),
  )
  const { ended: closed, results } = await moveToSuccess(tx, ends, then)
  afterCommit(tx, () => {
    for (const job of closed) {
      deps.notifications.emit('runnerConcerned', job.id)
      deps.notifications.emit('jobFinished', job)
    }
  })
  return { closed, results }
}

/** A job that never had a runner has no token. */
function endedToken({ token_digest }: JobRow): { ended_token_digest?: string } {
  return token_digest === null ? {} : { ended_token_digest: token_digest }
}

/** A job that exceeded its timeout ended at that time, however late this is detected (CI language, 10.2). */
function finishedAt(job: JobRow, end: JobEnd): number {
  const now = Date.now()
  const isTimeout = end.status === 'failed' && TIMEOUTS.has(end.failure_reason)
  if (!isTimeout || job.started_at === null || job.timeout === null) return now
  return Math.min(now, job.started_at + job.timeout * 1000)
}
