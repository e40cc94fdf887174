import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { addBridgeTasks } from './bridge-task-store.js'
import { findCanceledWith } from './downstream-store.js'

/**
 * Requests the cancellation of unfinished downstream pipelines of a canceled pipeline or trigger job (CI
 * language, 12.4).
 */
export async function cancelDescendants(
  deps: Pick<EngineDeps, 'notifications'>,
  tx: Transaction,
  above: { pipelineId: number } | { jobId: number },
): Promise<void> {
  await addBridgeTasks(deps, tx, 'cancel', await findCanceledWith(tx, above))
}
