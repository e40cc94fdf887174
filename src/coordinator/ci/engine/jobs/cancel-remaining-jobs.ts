import type { Transaction } from '../../../database/transaction.js'
import { cancelCommitStatuses } from '../commit-status-store.js'
import type { EngineDeps } from '../engine-deps.js'
import { cancelDescendants } from '../hierarchy/cancel-descendants.js'
import { CANCELABLE_STATUSES } from '../job-status.js'
import { findLatestJobs } from '../job-store.js'
import { stopJobs } from './stop-jobs.js'

/**
 * Cancels every job of a pipeline that can be canceled, including manual ones (CI language, 12.4), and
 * unfinished external statuses. `tx` must hold the pipeline lock; the caller then advances the pipeline.
 * Downstream pipelines follow, unless the pipeline is redundant (CI language, 12.6).
 *
 * `by`: id of the newer pipeline that makes this one redundant; absent if a user or a failed job cancels the
 * whole pipeline.
 */
export async function cancelRemainingJobs(
  deps: EngineDeps,
  tx: Transaction,
  pipelineId: number,
  by?: number,
): Promise<void> {
  await stopJobs(deps, tx, await findLatestJobs(tx, pipelineId, CANCELABLE_STATUSES), by)
  await cancelCommitStatuses(tx, pipelineId)
  if (by === undefined) await cancelDescendants(deps, tx, { pipelineId })
}
