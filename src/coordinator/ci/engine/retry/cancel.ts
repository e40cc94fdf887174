import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { CANCELABLE_STATUSES, isCancelable } from '../job-status.js'
import { findJob, findLatestJobs, rereadJobs } from '../job-store.js'
import { cancelRemainingJobs } from '../jobs/cancel-remaining-jobs.js'
import { closeJob } from '../jobs/close-job.js'
import { stopJob } from '../jobs/stop-job.js'
import { stopJobs } from '../jobs/stop-jobs.js'
import { findPipeline, lockPipeline } from '../pipeline-store.js'

export interface CancelOptions {
  /** Also ends a job whose runner is already canceling it gracefully. */
  force?: boolean
}

/** Cancels a job if it can be canceled (CI language, 12.4). Returns the updated job. */
export async function cancelJob(
  deps: EngineDeps,
  job: JobRow,
  { force = false }: CancelOptions = {},
): Promise<JobRow> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    if (!current) return job
    if (force && current.status === 'canceling') await closeJob(deps, tx, current, { status: 'canceled' })
    else if (isCancelable(current.status)) await stopJob(deps, tx, current)
    await advancePipeline(deps, tx, job.pipeline_id)
    return (await findJob(tx, job.id)) ?? current
  })
}

/**
 * Cancels every job of one stage that can be canceled, including manual ones; `stage`: its index. Returns the
 * updated pipeline and the updated jobs.
 */
export async function cancelStage(
  deps: EngineDeps,
  pipeline: PipelineRow,
  stage: number,
): Promise<{ pipeline: PipelineRow; jobs: JobRow[] }> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    const latest = await findLatestJobs(tx, pipeline.id, CANCELABLE_STATUSES)
    const jobs = latest.filter(({ stage_index }) => stage_index === stage)
    await stopJobs(deps, tx, jobs)
    await advancePipeline(deps, tx, pipeline.id)
    return { pipeline: await findPipeline(tx, pipeline.id), jobs: await rereadJobs(tx, jobs) }
  })
}

/**
 * Cancels every job of the pipeline that can be canceled, including manual ones. Returns the updated
 * pipeline.
 */
export async function cancelPipeline(deps: EngineDeps, pipeline: PipelineRow): Promise<PipelineRow> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    await cancelRemainingJobs(deps, tx, pipeline.id)
    await advancePipeline(deps, tx, pipeline.id)
    return findPipeline(tx, pipeline.id)
  })
}
