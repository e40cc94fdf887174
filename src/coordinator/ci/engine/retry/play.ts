import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { resetDependents } from '../advance/reset-skipped.js'
import { isRollbackRefused } from '../deployments/is-rollback-refused.js'
import { type ClosedGate, gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { isFinished, isRetryable } from '../job-status.js'
import { findJob, moveJob } from '../job-store.js'
import { enqueueJobs } from '../jobs/enqueue-jobs.js'
import { isStillProtected } from '../permissions/ref-protection.js'
import { lockPipeline } from '../pipeline-store.js'
import { type GivenToJob, giveToJob } from './given-to-job.js'
import { startAgain } from './retry.js'

/**
 * Starts a manual job, or a delayed one before its time, with what the user typed; one that has run already is run again
 * (CI language, 12.3). Throws `JobInputsError` for values that its inputs do not take.
 */
export async function playJob(
  deps: EngineDeps,
  job: JobRow,
  user: { id: number },
  given: GivenToJob = {},
): Promise<JobRow | 'unplayable' | ClosedGate> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    if (!current || !isPlayable(current)) return 'unplayable'
    if (await isRollbackRefused(tx, current)) return 'unplayable'
    const gate = await gateOf(deps, tx, current, user.id)
    // What has ended gets a deployment of its own, which is approved once it is there.
    if (gate === 'forbidden' || (gate === 'unapproved' && isWaiting(current))) return gate
    const played = await startByHand(deps, tx, current, user.id)
    await giveToJob(deps, tx, played, given)
    await advancePipeline(deps, tx, job.pipeline_id)
    return (await findJob(tx, played.id)) ?? 'unplayable'
  })
}

function isPlayable(job: JobRow): boolean {
  return isWaiting(job) || ((job.when === 'manual' || job.when === 'delayed') && isRetryable(job))
}

/** A trigger job that has started may be `manual` because the pipeline is that it mirrors. */
function isWaiting({ status, started_at }: JobRow): boolean {
  return (status === 'manual' || status === 'scheduled') && started_at === null
}

/**
 * Enqueues a job that a person starts, whatever it waits for, or a new attempt of one that has ended. `tx` holds the pipeline;
 * the caller advances it.
 */
export function startByHand(deps: EngineDeps, tx: Transaction, job: JobRow, userId: number): Promise<JobRow> {
  return isFinished(job.status) ? startAgain(deps, tx, job, userId) : start(deps, tx, job, userId)
}

async function start(deps: EngineDeps, tx: Transaction, job: JobRow, userId: number): Promise<JobRow> {
  const isProtected = await isStillProtected(tx, job)
  await moveJob(tx, job, { status: job.status, user_id: userId, protected: isProtected })
  await enqueueJobs(deps, tx, [job], job.status)
  await resetDependents(tx, job, userId)
  return job
}
