import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { StoredJobOptions } from '../../database/tables/pipelines.js'

/**
 * Ended statuses. Only a skipped job may change again, when a job before it is retried or played (CI
 * language, 10.1 and 11.5).
 */
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

/** Running: a runner may still add to its log and files. */
export function isWithRunner(status: JobStatus): boolean {
  return status === 'running' || status === 'canceling'
}

export function isCancelable(status: JobStatus): boolean {
  return CANCELABLE_STATUSES.some((cancelable) => cancelable === status)
}

/** Failure reasons that another attempt would meet again (CI language, 13.2). */
const NOT_RETRYABLE: ReadonlySet<string | null> = new Set([
  'pipeline_loop_detected',
  'reached_max_descendant_pipelines_depth',
])

/**
 * Whether a job can be retried. False for an attempt that was already retried, and for trigger jobs that
 * mirror a pipeline, exceed the maximum depth or form a loop (CI language, 12.1 and 13.2).
 */
export function isRetryable(
  job: Pick<JobRow, 'status' | 'retried' | 'failure_reason'> & { options: Pick<StoredJobOptions, 'mirrors'> },
): boolean {
  if (job.options.mirrors !== undefined || NOT_RETRYABLE.has(job.failure_reason)) return false
  return isFinished(job.status) && !job.retried
}
