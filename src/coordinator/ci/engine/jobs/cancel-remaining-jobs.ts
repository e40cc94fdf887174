import type { Transaction } from '../../../database/transaction.js'
import { cancelCommitStatuses } from '../commit-status-store.js'
import type { EngineDeps } from '../engine-deps.js'
import { cancelDescendants } from '../hierarchy/cancel-descendants.js'
import { CANCELABLE_STATUSES } from '../job-status.js'
import { findLatestJobs } from '../job-store.js'
import { stopJobs } from './stop-jobs.js'

/**
 * Cancels every job of a pipeline, which `tx` holds, that can still be canceled, manual ones too (CI language, 12.4), and
 * what other systems are still about to say of it. The caller advances the pipeline; the pipelines below it follow unless
 * it is redundant (CI language, 12.6). `by`: id of the newer pipeline that makes this one redundant; absent when a
 * person or a failed job ends the whole of it.
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
