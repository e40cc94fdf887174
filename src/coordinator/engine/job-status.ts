import type { JobStatus } from './tables.js'

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

export function isCancelable(status: JobStatus): boolean {
  return CANCELABLE_STATUSES.some((cancelable) => cancelable === status)
}

/** An attempt that was retried is no longer the latest of its name (CI language, 12.1). */
export function isRetryable(job: { status: JobStatus; retried: boolean }): boolean {
  return isFinished(job.status) && !job.retried
}
