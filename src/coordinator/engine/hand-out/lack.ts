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
