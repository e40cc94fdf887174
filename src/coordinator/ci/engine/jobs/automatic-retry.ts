import type { JobOptions, PlannedRetry } from '../../../../ci-config/plan.js'
import type { BridgeFailureReason } from '../../../../error-catalogue/failure-reasons.js'
import { type FailureReason, REPLACED_REASONS } from '../../../../protocol/failure-reason.js'

/** Another attempt would fail for the same reason. */
const NEVER_RETRIED: ReadonlySet<FailureReason | BridgeFailureReason> = new Set([
  'ci_quota_exceeded',
  'no_matching_runner',
  'missing_dependency_failure',
  'forward_deployment_failure',
  'failed_outdated_deployment_job',
  'environment_creation_failure',
  'protected_environment_failure',
  'deployment_rejected',
])

/**
 * Further failures that a reason in `retry:when` stands for: older reasons were divided into more exact ones, and a
 * runner that falls silent is a failure of the runner (CI language, 12.2).
 */
const ALSO_MEANS: Readonly<Record<string, readonly string[]>> = {
  ...REPLACED_REASONS,
  job_execution_server_timeout: ['server_timeout_running', 'server_timeout_canceling'],
  runner_system_failure: ['no_updates_running', 'no_updates_canceling'],
}

/** Default for jobs without `retry`: failures of the service itself. */
const RETRY_BY_DEFAULT: PlannedRetry = { max: 2, when: ['scheduler_failure'], exitCodes: [] }

export interface Failure {
  reason: FailureReason | BridgeFailureReason
  exitCode: number | undefined
  /** Earlier attempts of the same job in its pipeline, automatic and manual ones. */
  earlierAttempts: number
}

/** Whether a failed job is retried automatically (CI language, 12.2). */
export function isRetriedAutomatically(
  { retry = RETRY_BY_DEFAULT }: Pick<JobOptions, 'retry'>,
  { reason, exitCode, earlierAttempts }: Failure,
): boolean {
  if (NEVER_RETRIED.has(reason) || earlierAttempts >= retry.max) return false
  return (
    retry.when.some((when) => when === 'always' || when === reason || ALSO_MEANS[when]?.includes(reason)) ||
    (exitCode !== undefined && retry.exitCodes.includes(exitCode))
  )
}
