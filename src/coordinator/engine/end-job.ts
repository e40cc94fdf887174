import type { FailureReason } from '../../protocol/failure-reason.js'
import { afterCommit, type Transaction } from '../database/transaction.js'
import { endLease } from '../queue/lease.js'
import type { EngineDeps } from './engine-deps.js'
import { UnexpectedStatusError } from './errors.js'
import { findJob, moveJob } from './job-store.js'
import type { JobRow } from './rows.js'

export type JobEnd =
  | { status: 'success' | 'canceled' }
  | { status: 'failed'; failure_reason: FailureReason; exit_code?: number | undefined }

/**
 * Ends a job that was read under the lock of its pipeline: out of the queue, lease and token void. One that is being
 * canceled ends as canceled, whatever its runner says (runner protocol, 6.1). The caller advances the pipeline.
 */
export async function endJob(deps: EngineDeps, tx: Transaction, job: JobRow, wanted: JobEnd): Promise<void> {
  const end: JobEnd = job.status === 'canceling' ? { status: 'canceled' } : wanted
  const moved = await moveJob(tx, job, { ...end, token_digest: null, finished_at: finishedAt(job, end) })
  if (!moved) throw new UnexpectedStatusError([job.id], job.status)
  if (job.status === 'pending') await deps.queue.dequeue(tx, [job.id])
  else {
    await endLease(tx, job.id)
    afterCommit(tx, () => deps.onRunnerConcerned?.(job.id))
  }
  await tellFinished(deps, tx, job.id)
}

/** A job that ran into its timeout ended then, however late that is noticed (CI language, 10.2). */
function finishedAt(job: JobRow, end: JobEnd): number {
  const now = Date.now()
  const isTimeout = end.status === 'failed' && end.failure_reason === 'job_execution_timeout'
  if (!isTimeout || job.started_at === null || job.timeout === null) return now
  return Math.min(now, job.started_at + job.timeout * 1000)
}

async function tellFinished(deps: EngineDeps, tx: Transaction, jobId: number): Promise<void> {
  const { onJobFinished } = deps
  if (!onJobFinished) return
  const job = await findJob(tx, jobId)
  if (job) afterCommit(tx, () => onJobFinished(job))
}
