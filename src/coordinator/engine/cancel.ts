import { afterCommit, inTransaction, type Transaction } from '../database/transaction.js'
import { advancePipeline } from './advance-pipeline.js'
import { endJob } from './end-job.js'
import type { EngineDeps } from './engine-deps.js'
import { UnexpectedStatusError } from './errors.js'
import { CANCELABLE_STATUSES, isCancelable } from './job-status.js'
import { findJob, findLatestJobs, moveJob } from './job-store.js'
import { findPipeline, lockPipeline } from './pipeline-store.js'
import type { JobRow, PipelineRow } from './rows.js'

export interface CancelOptions {
  /** Also ends a job whose runner is about to end it gracefully. */
  force?: boolean
}

/** Cancels a job that can still be canceled (CI language, 12.4); the job as it is afterwards. */
export async function cancelJob(
  deps: EngineDeps,
  job: JobRow,
  { force = false }: CancelOptions = {},
): Promise<JobRow> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    if (!current) return job
    if (force && current.status === 'canceling') await endJob(deps, tx, current, { status: 'canceled' })
    else if (isCancelable(current.status)) await cancel(deps, tx, current)
    await advancePipeline(deps, tx, job.pipeline_id)
    return (await findJob(tx, job.id)) ?? current
  })
}

/** Cancels every job of the pipeline that can be canceled, manual ones too; the pipeline as it is afterwards. */
export async function cancelPipeline(deps: EngineDeps, pipeline: PipelineRow): Promise<PipelineRow> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    for (const job of await findLatestJobs(tx, pipeline.id, CANCELABLE_STATUSES)) await cancel(deps, tx, job)
    await advancePipeline(deps, tx, pipeline.id)
    return findPipeline(tx, pipeline.id)
  })
}

/** A runner that can end a job gracefully is told so at its next call; the job keeps its token until then. */
async function cancel(deps: EngineDeps, tx: Transaction, job: JobRow): Promise<void> {
  if (job.status !== 'running' || !job.cancel_gracefully) {
    await endJob(deps, tx, job, { status: 'canceled' })
    return
  }
  const moved = await moveJob(tx, job, { status: 'canceling' })
  if (!moved) throw new UnexpectedStatusError([job.id], job.status)
  afterCommit(tx, () => deps.onRunnerConcerned?.(job.id))
}
