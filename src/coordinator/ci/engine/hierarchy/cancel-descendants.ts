import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { addBridgeTasks } from './bridge-task-store.js'
import { findCanceledWith } from './downstream-store.js'

/** Lets what goes on below a canceled pipeline, or a canceled trigger job, be canceled too (CI language, 12.4). */
export async function cancelDescendants(
  deps: Pick<EngineDeps, 'onBridgeTasks'>,
  tx: Transaction,
  above: { pipelineId: number } | { jobId: number },
): Promise<void> {
  await addBridgeTasks(deps, tx, 'cancel', await findCanceledWith(tx, above))
}
