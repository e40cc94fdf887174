import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { MissingCapability } from '../../../database/tables/job-columns.js'

/** The reason why a pending job fails instead of being dispatched. */
export interface DispatchProblem {
  reason: FailureReason
  missing?: MissingCapability
}

export function missingDependency(message: string): DispatchProblem {
  return { reason: 'missing_dependency_failure', missing: { reason: 'missing_dependency', message } }
}

/**
 * The requesting runner lacks a feature. The job fails and does not wait for another runner (runner protocol,
 * 1.3).
 */
export function missingRunnerFeature(feature: string): DispatchProblem {
  const message = `The runner that requested the job does not have the feature "${feature}": update it, or add tags of a runner that has it.`
  return { reason: 'runner_unsupported', missing: { reason: 'runner_feature', message } }
}

/** The job authenticates to a cloud with an identity from this server, which supports none. */
export function missingIdentityProvider(identity: string): DispatchProblem {
  const message =
    `The job has identity: ${identity}, and this server is no identity provider of that cloud: ` +
    'write id_tokens instead, and let the script exchange the token there.'
  return { reason: 'unmet_prerequisites', missing: { reason: 'identity_provider', message } }
}
