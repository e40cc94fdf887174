import type { JobFailure } from './schema.js'

/** Reasons that say nothing about the script. */
const OF_MACHINES = new Set([
  'runner_system_failure',
  'runner_external_dependency_failure',
  'image_pull_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'scheduler_failure',
  'data_integrity_failure',
  'runner_provisioning_failure',
])

/** Whether a failed job is the fault of its script, or of what runs it. A timeout counts as one of the script. */
export function causeOf(reason: string): JobFailure['cause'] {
  if (
    OF_MACHINES.has(reason) ||
    reason.startsWith('no_updates') ||
    reason.startsWith('stuck_pending') ||
    reason.startsWith('server_timeout')
  ) {
    return 'infrastructure'
  }
  return OF_SCRIPT.has(reason) ? 'script' : 'pipeline'
}

const OF_SCRIPT = new Set([
  'unknown_failure',
  'script_failure',
  'job_execution_timeout',
  'trace_size_exceeded',
  'runner_configuration_error',
])
