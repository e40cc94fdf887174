import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { isCompleted } from '../job-status.js'
import { addBridgeTasks } from './bridge-task-store.js'
import { findMirrors, findOrigin } from './downstream-store.js'

/** How the status of a pipeline has changed. */
export interface StatusChange {
  from: CompositeStatus
  to: CompositeStatus
}

/**
 * After a pipeline, which `tx` holds, changed its status: lets the trigger jobs know that wait for it or mirror it
 * (CI language, 13.4). One that had ended and goes on sets those that waited for it running again (CI language, 11.5).
 */
export async function notifyBridges(
  deps: Pick<EngineDeps, 'onBridgeTasks'>,
  tx: Transaction,
  pipelineId: number,
  { from, to }: StatusChange,
): Promise<void> {
  const origin = await findOrigin(tx, pipelineId)
  if (origin && origin.strategy !== null) {
    const isRestart = isCompleted(from) && !isCompleted(to)
    await addBridgeTasks(deps, tx, isRestart ? 'restart' : 'follow', [origin.upstream_job_id])
  }
  await addBridgeTasks(deps, tx, 'follow', await findMirrors(tx, pipelineId))
}
