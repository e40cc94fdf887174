import type { FailureReason } from '../../../protocol/failure-reason.js'

/** What a job would need that it was refused to a runner for, as people are told. */
export interface Lack {
  reason: 'missing_dependency' | 'runner_feature'
  /** A sentence with the remedy. */
  message: string
}

/** Why a pending job fails instead of being handed out. */
export interface HandOutProblem {
  reason: FailureReason
  lack?: Lack
}

export function missingDependency(message: string): HandOutProblem {
  return { reason: 'missing_dependency_failure', lack: { reason: 'missing_dependency', message } }
}

/** The runner that asked is the wrong one, and the job does not wait for another (runner protocol, 1.3). */
export function runnerLacks(feature: string): HandOutProblem {
  const message = `The runner that asked for the job does not have the feature "${feature}": update it, or give the job tags of one that has.`
  return { reason: 'runner_unsupported', lack: { reason: 'runner_feature', message } }
}
