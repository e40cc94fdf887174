import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJob } from '../job-status-store.js'
import { isCompleted } from '../job-status.js'
import { closeJob } from './close-job.js'
import { markPending } from './mark-pending.js'

/**
 * Undoes the dispatch of a job whose runner never made contact, or its claim. The job has not started, so another
 * runner may take it with a new token (architecture, decision 7). A job that is canceling or has ended is not requeued.
 * The caller holds the pipeline lock, has ended the lease, and advances the pipeline.
 */
export async function returnToQueue(deps: EngineDeps, tx: Transaction, job: JobRow): Promise<void> {
  if (job.status === 'canceling') {
    await closeJob(deps, tx, job, { status: 'canceled' })
    return
  }
  if (isCompleted(job.status)) return
  // It was claimed, but never started.
  if (job.status === 'pending') {
    await markPending(deps, tx, [job.id], 'pending')
    return
  }
  const moved = await moveJob(tx, job, {
    status: 'created',
    runner_id: null,
    runner_system_id: null,
    cancel_gracefully: false,
    token_digest: null,
    ended_token_digest: job.token_digest,
    timeout: null,
    started_at: null,
  })
  if (!moved) throw new UnexpectedStatusError([job.id], job.status)
  afterCommit(tx, () => deps.notifications.emit('runnerConcerned', job.id))
  await markPending(deps, tx, [job.id], 'created')
}
