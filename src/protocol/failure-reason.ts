/**
 * All failure reasons that the coordinator stores (CI language, 10.3), and lists for runners in
 * `features.failure_reasons`.
 */
export const FAILURE_REASONS = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'stale_schedule',
  'job_execution_timeout',
  'archived_failure',
  'unmet_prerequisites',
  'scheduler_failure',
  'data_integrity_failure',
  'forward_deployment_failure',
  'user_blocked',
  'project_deleted',
  'ci_quota_exceeded',
  'pipeline_loop_detected',
  'no_matching_runner',
  'trace_size_exceeded',
  'builds_disabled',
  'environment_creation_failure',
  'protected_environment_failure',
  'deployment_rejected',
  'failed_outdated_deployment_job',
  'job_execution_server_timeout',
  'stuck_pending_with_matching_runners',
  'stuck_pending_no_matching_runners',
  'no_updates_running',
  'no_updates_canceling',
  'server_timeout_running',
  'server_timeout_canceling',
  'runner_configuration_error',
  'runner_external_dependency_failure',
  'runner_interrupted',
  'image_pull_failure',
  'secrets_provider_not_found',
] as const

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

export type FailureReason = (typeof FAILURE_REASONS)[number]

/** Maps a name that is not in the list (runner protocol, 3.4). */
export function knownFailureReason(name: string | undefined): FailureReason {
  return FAILURE_REASONS.find((reason) => reason === name) ?? 'unknown_failure'
}
