import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { resetDependents, resetSkipped } from '../advance/reset-skipped.js'
import { archivedTest } from '../archived-jobs.js'
import type { EngineDeps } from '../engine-deps.js'
import { FINISHED_STATUSES, type FinishedStatus, isRetryable } from '../job-status.js'
import { findLatestJobs, rereadJobs } from '../job-store.js'
import { cloneJob } from '../jobs/clone-job.js'
import { startAttempt } from '../jobs/start-attempt.js'
import { findPipeline, lockPipeline } from '../pipeline-store.js'
import { type RefusedJob, startableJobs } from './startable-jobs.js'

/** Which jobs of a pipeline are retried. By default, the failed and canceled ones. */
export interface RetrySelection {
  /** Only jobs of the stage with this index. */
  stage?: number | undefined
  /** All jobs of the stage with this index and of later ones, also those that have succeeded. */
  fromStage?: number | undefined
  /** Leaves out jobs that were canceled or have succeeded. */
  onlyFailed?: boolean | undefined
}

export interface StartedJobs {
  pipeline: PipelineRow
  jobs: JobRow[]
  /** Jobs that were selected but left out. */
  refused: RefusedJob[]
}

/**
 * Retries jobs of a pipeline, all or none, and re-evaluates the skipped ones. Leaves out jobs that the user may
 * not start (`startableJobs`). Manual jobs wait for a user again.
 */
export async function retryPipeline(
  deps: EngineDeps,
  pipeline: PipelineRow,
  user: { id: number },
  selection: RetrySelection = {},
): Promise<StartedJobs> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    const ended = await findLatestJobs(tx, pipeline.id, statusesIn(selection))
    const wanted = ended.filter((job) => isRetryable(job) && isInStages(job, selection))
    const { startable, refused } = await startableJobs(deps, tx, wanted, user.id)
    const attempts: JobRow[] = []
    for (const job of startable) attempts.push(await cloneJob(tx, job, user.id))
    await resetSkippedIn(tx, pipeline, attempts, user.id, selection)
    await advancePipeline(deps, tx, pipeline.id)
    return { pipeline: await findPipeline(tx, pipeline.id), jobs: await rereadJobs(tx, attempts), refused }
  })
}

function statusesIn({ fromStage, onlyFailed }: RetrySelection): readonly FinishedStatus[] {
  if (onlyFailed) return ['failed']
  return fromStage === undefined ? ['failed', 'canceled'] : FINISHED_STATUSES
}

function isInStages({ stage_index }: JobRow, { stage, fromStage }: RetrySelection): boolean {
  return stage_index >= (fromStage ?? 0) && (stage === undefined || stage_index === stage)
}

/** A selection of jobs only affects what depends on them; otherwise the whole pipeline is tried again. */
async function resetSkippedIn(
  tx: Transaction,
  pipeline: PipelineRow,
  attempts: JobRow[],
  userId: number,
  selection: RetrySelection,
): Promise<void> {
  if (selection.onlyFailed || selection.stage !== undefined) return resetDependents(tx, attempts, userId)
  const isArchived = await archivedTest(tx)
  const skipped = await findLatestJobs(tx, pipeline.id, ['skipped'])
  const ids = skipped.filter((job) => !isArchived(job) && isInStages(job, selection)).map(({ id }) => id)
  await resetSkipped(tx, ids, userId)
}

/** Why no job of a list was retried: the job that cannot be, with the reason. */
export type RetryRefusal = { kind: 'not-retryable'; job: JobRow } | ({ kind: 'refused' } & RefusedJob)

/**
 * Retries the given jobs of a pipeline, which may have succeeded, all or none. Manual and delayed jobs start at
 * once, as if each was retried alone.
 */
export async function retryJobs(
  deps: EngineDeps,
  pipeline: PipelineRow,
  jobs: JobRow[],
  user: { id: number },
): Promise<({ kind: 'retried' } & StartedJobs) | RetryRefusal> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    const current = await rereadJobs(tx, jobs)
    const other = current.find((job) => !isRetryable(job))
    if (other) return { kind: 'not-retryable', job: other } as const
    const { refused } = await startableJobs(deps, tx, current, user.id)
    const [first] = refused
    if (first) return { kind: 'refused', ...first } as const
    const attempts: JobRow[] = []
    for (const job of current) attempts.push(await startAttempt(deps, tx, job, user.id))
    await resetDependents(tx, attempts, user.id)
    await advancePipeline(deps, tx, pipeline.id)
    return {
      kind: 'retried',
      pipeline: await findPipeline(tx, pipeline.id),
      jobs: await rereadJobs(tx, attempts),
      refused: [],
    } as const
  })
}
