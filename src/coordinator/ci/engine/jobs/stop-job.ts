import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { cancelDescendants } from '../hierarchy/cancel-descendants.js'
import { moveJob } from '../job-status-store.js'
import { closeJob } from './close-job.js'

/**
 * Cancels a cancelable job that was read under the pipeline lock. A runner that can cancel gracefully learns
 * of it at its next call; the job keeps its token until then. The downstream pipeline of a trigger job is
 * canceled too, unless the job is redundant. `by`: id of the newer pipeline that makes it redundant.
 */
export async function stopJob(deps: EngineDeps, tx: Transaction, job: JobRow, by?: number): Promise<void> {
  if (job.status !== 'running' || !job.cancel_gracefully) {
    await closeJob(deps, tx, job, { status: 'canceled', auto_canceled_by_id: by })
    if (job.kind === 'bridge' && by === undefined) await cancelDescendants(deps, tx, { jobId: job.id })
    return
  }
  const moved = await moveJob(tx, job, { status: 'canceling', auto_canceled_by_id: by ?? null })
  if (!moved) throw new UnexpectedStatusError([job.id], job.status)
  afterCommit(tx, () => deps.notifications.emit('runnerConcerned', job.id))
}
