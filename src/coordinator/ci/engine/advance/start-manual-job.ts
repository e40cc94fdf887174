import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { moveJob } from '../job-status-store.js'
import { isFinished } from '../job-status.js'
import { enqueueJobs } from '../jobs/enqueue-jobs.js'
import { startAttempt } from '../jobs/start-attempt.js'
import { isStillProtected } from '../permissions/run-protection.js'
import { resetDependents } from './reset-skipped.js'

/**
 * Enqueues a job that a user starts, without its usual preconditions, or a new attempt of an ended job. `tx`
 * must hold the pipeline lock; the caller then advances the pipeline.
 */
export function startManualJob(
  deps: EngineDeps,
  tx: Transaction,
  job: JobRow,
  userId: number,
): Promise<JobRow> {
  return isFinished(job.status) ? startAgain(deps, tx, job, userId) : start(deps, tx, job, userId)
}

async function start(deps: EngineDeps, tx: Transaction, job: JobRow, userId: number): Promise<JobRow> {
  await startWaitingJobs(deps, tx, [job], userId)
  return job
}

/**
 * Enqueues jobs of one pipeline that wait for a user, all in the same status, without their usual
 * preconditions. `tx` must hold the pipeline lock; the caller then advances the pipeline.
 */
export async function startWaitingJobs(
  deps: EngineDeps,
  tx: Transaction,
  jobs: JobRow[],
  userId: number,
): Promise<void> {
  const [first] = jobs
  if (!first) return
  for (const job of jobs) {
    const isProtected = await isStillProtected(tx, job)
    await moveJob(tx, job, { status: job.status, user_id: userId, protected: isProtected })
  }
  await enqueueJobs(deps, tx, jobs, first.status)
  await resetDependents(tx, jobs, userId)
}

/**
 * Creates a new attempt of an ended job, and re-evaluates the jobs that were skipped because of it. The
 * caller then advances the pipeline.
 */
export async function startAgain(
  deps: EngineDeps,
  tx: Transaction,
  job: JobRow,
  userId: number,
): Promise<JobRow> {
  const attempt = await startAttempt(deps, tx, job, userId)
  await resetDependents(tx, [attempt], userId)
  return attempt
}
