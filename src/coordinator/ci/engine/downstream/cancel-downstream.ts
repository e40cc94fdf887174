import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { type BridgeTask, claimBridgeTask } from '../hierarchy/bridge-task-store.js'
import { cancelRemainingJobs } from '../jobs/cancel-remaining-jobs.js'
import { lockPipeline } from '../pipeline-store.js'

/**
 * Cancels a pipeline because its upstream pipeline was canceled (CI language, 12.4). Its own downstream
 * pipelines follow in the same way.
 */
export async function cancelDownstream(deps: EngineDeps, task: BridgeTask): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, task.subject_id)
    if (!(await claimBridgeTask(tx, task))) return
    if (!(await isThere(tx, task.subject_id))) return
    await cancelRemainingJobs(deps, tx, task.subject_id)
    await advancePipeline(deps, tx, task.subject_id)
  })
}

async function isThere(tx: Transaction, pipelineId: number): Promise<boolean> {
  const row = await tx.selectFrom('pipeline').select('id').where('id', '=', pipelineId).executeTakeFirst()
  return row !== undefined
}
