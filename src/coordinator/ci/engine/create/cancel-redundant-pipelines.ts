import { isMergeRequestRef, isTrainRef } from '../../../../git/names.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { CANCELABLE_STATUSES } from '../job-status.js'
import { findLatestJobs } from '../job-store.js'
import { cancelRemainingJobs } from '../jobs/cancel-remaining-jobs.js'
import { stopJobs } from '../jobs/stop-jobs.js'
import { findMergeRequest } from '../merge-request-store.js'
import { findProject, lockPipeline, recordAutoCanceled } from '../pipeline-store.js'
import { findOlderPipelines, hasStartedForGood } from './redundant-store.js'

/**
 * After a pipeline was created: cancels redundant older pipelines of the same branch, tag or merge request,
 * according to their settings (CI language, 12.6). `tx` must hold the lock of the project row. It locks the older
 * pipelines in the order of their ids.
 */
export async function cancelRedundantPipelines(
  deps: EngineDeps,
  tx: Transaction,
  newer: PipelineRow,
): Promise<void> {
  // A child pipeline belongs to its parent and comes from the same push. A merge train cancels what it does not need.
  if (newer.source === 'parent_pipeline' || isTrainRef(newer.ref)) return
  const project = await findProject(tx, newer.project_id)
  if (!project.auto_cancel_pending_pipelines) return
  const older = await findOlderPipelines(tx, newer)
  if (older.length === 0) return
  // Read inside the transaction: the commit of this pipeline may already be outdated.
  const head = await headOf(deps, tx, newer)
  for (const pipeline of older.filter(({ sha }) => sha !== head)) {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    if (await cancelRedundantPipeline(deps, tx, pipeline, newer.id))
      await advancePipeline(deps, tx, pipeline.id)
  }
}

/** The current commit of the branch, tag or merge request. */
async function headOf(
  { repositories }: EngineDeps,
  tx: Transaction,
  { project_id, ref, tag, merge_request_id }: PipelineRow,
): Promise<string | null | undefined> {
  if (isMergeRequestRef(ref)) return (await findMergeRequest(tx, merge_request_id))?.head_sha
  const head = await repositories.resolveRef(project_id, tag ? `refs/tags/${ref}` : `refs/heads/${ref}`)
  return head?.sha
}

/** Whether the pipeline was touched. */
async function cancelRedundantPipeline(
  deps: EngineDeps,
  tx: Transaction,
  pipeline: PipelineRow,
  newerId: number,
): Promise<boolean> {
  switch (pipeline.on_new_commit) {
    case 'none':
      return false
    case 'conservative':
      if (await hasStartedForGood(tx, pipeline.id)) return false
      await cancelRemainingJobs(deps, tx, pipeline.id, newerId)
      break
    case 'interruptible':
      await cancelInterruptibleJobs(deps, tx, pipeline.id, newerId)
  }
  await recordAutoCanceled(tx, pipeline.id, newerId)
  return true
}

async function cancelInterruptibleJobs(
  deps: EngineDeps,
  tx: Transaction,
  pipelineId: number,
  newerId: number,
): Promise<void> {
  const jobs = await findLatestJobs(tx, pipelineId, CANCELABLE_STATUSES)
  const interruptible = jobs.filter((job) => job.interruptible)
  await stopJobs(deps, tx, interruptible, newerId)
}
