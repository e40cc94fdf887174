/** Status of a job, and of a set of jobs (CI language, 10.1 and 11.1). */
export type JobStatus =
  | 'created'
  | 'waiting_for_resource'
  | 'preparing'
  | 'waiting_for_callback'
  | 'pending'
  | 'running'
  | 'success'
  | 'failed'
  | 'canceling'
  | 'canceled'
  | 'skipped'
  | 'manual'
  | 'scheduled'

/**
 * The pending reason of a stuck job: no runner can take it until the reason is removed (CI language, 12.10).
 */
export interface PendingReason {
  reason: 'no_runner' | 'missing_tags' | 'untagged' | 'protected' | 'paused' | 'offline'
  /** Message for users. */
  message: string
  /** For `missing_tags`: tags that no runner has; all tags of the job if no runner has them together. */
  missing_tags?: string[]
}

/** The capability that kept the job from a runner, for display. */
export interface MissingCapability {
  reason: 'missing_dependency' | 'runner_feature' | 'secrets_provider' | 'identity_provider'
  /** Message for users, with the remedy. */
  message: string
}
