import type { JobOptions, PlannedRetry } from '../../../../ci-config/plan.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { BridgeFailureReason } from '../../../database/tables/job-columns.js'

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
    retry.when.includes('always') ||
    retry.when.includes(reason) ||
    (exitCode !== undefined && retry.exitCodes.includes(exitCode))
  )
}
