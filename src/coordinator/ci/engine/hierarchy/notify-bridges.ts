import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { isCompleted } from '../job-status.js'
import { addBridgeTasks } from './bridge-task-store.js'
import { findMirrors, findOrigin } from './downstream-store.js'

/** A status change of a pipeline. */
export interface StatusChange {
  from: CompositeStatus
  to: CompositeStatus
}

/**
 * Notifies the trigger jobs that wait for or mirror a pipeline about its new status (CI language, 13.4). `tx`
 * must hold the pipeline lock. If an ended pipeline runs again, trigger jobs that waited for it become
 * running again (CI language, 11.5).
 */
export async function notifyBridges(
  deps: Pick<EngineDeps, 'notifications'>,
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
