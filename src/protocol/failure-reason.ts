import { JOB_FAILURES } from '../error-catalogue/failure-reasons.js'

export type FailureReason = keyof typeof JOB_FAILURES

/**
 * All failure reasons that the coordinator stores (CI language, 10.3), and lists for runners in
 * `features.failure_reasons`.
 */
export const FAILURE_REASONS = Object.keys(JOB_FAILURES) as FailureReason[]

/** Reasons that `retry:when` still accepts, and those that replace them (CI language, 12.2). */
export const REPLACED_REASONS: Readonly<Record<string, readonly FailureReason[]>> = {
  stuck_or_timeout_failure: [
    'stuck_pending_with_matching_runners',
    'stuck_pending_no_matching_runners',
    'no_updates_running',
    'no_updates_canceling',
  ],
  job_execution_timeout: ['server_timeout_running', 'server_timeout_canceling'],
}

/** Maps a name that is not in the list (runner protocol, 3.4). */
export function knownFailureReason(name: string | undefined): FailureReason {
  return FAILURE_REASONS.find((reason) => reason === name) ?? 'unknown_failure'
}
