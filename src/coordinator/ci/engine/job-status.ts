import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'

/** Ended; only a skipped job may move again, by a retry or play of one before it (CI language, 10.1 and 11.5). */
export const COMPLETED_STATUSES = ['success', 'failed', 'canceled', 'skipped'] as const satisfies JobStatus[]

/** Ended by running or by being stopped: has a time of finishing and may be retried. */
export const FINISHED_STATUSES = ['success', 'failed', 'canceled'] as const satisfies JobStatus[]

export type FinishedStatus = (typeof FINISHED_STATUSES)[number]

/** Neither ended nor about to be (CI language, 10.1). */
export const CANCELABLE_STATUSES = [
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'manual',
  'scheduled',
] as const satisfies JobStatus[]

export function isCompleted(status: JobStatus): boolean {
  return COMPLETED_STATUSES.some((completed) => completed === status)
}

export function isFinished(status: JobStatus): status is FinishedStatus {
  return FINISHED_STATUSES.some((finished) => finished === status)
}

/** Under way: a runner may still add to its log and files. */
export function isWithRunner(status: JobStatus): boolean {
  return status === 'running' || status === 'canceling'
}

export function isCancelable(status: JobStatus): boolean {
  return CANCELABLE_STATUSES.some((cancelable) => cancelable === status)
}

/** Another attempt would stand in the same place (CI language, 13.2). */
const NOT_RETRYABLE: ReadonlySet<string | null> = new Set([
  'pipeline_loop_detected',
  'reached_max_descendant_pipelines_depth',
])

/**
 * An attempt that was retried is no longer the latest of its name; a trigger job that mirrors has nothing to do again, and
 * one that stands too deep or in a circle would stand there again (CI language, 12.1 and 13.2).
 */
export function isRetryable(job: Pick<JobRow, 'status' | 'retried' | 'failure_reason' | 'options'>): boolean {
  if (job.options.mirrors !== undefined || NOT_RETRYABLE.has(job.failure_reason)) return false
  return isFinished(job.status) && !job.retried
}
