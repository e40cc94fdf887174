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
 * Failure reasons of trigger jobs, in addition to those of jobs with a runner (CI language, 10.3 and 13.2).
 */
export type BridgeFailureReason =
  | 'insufficient_bridge_permissions'
  | 'downstream_bridge_project_not_found'
  | 'invalid_bridge_trigger'
  | 'upstream_bridge_project_not_found'
  | 'insufficient_upstream_permissions'
  | 'downstream_pipeline_creation_failed'
  | 'reached_max_descendant_pipelines_depth'
  | 'reached_max_pipeline_hierarchy_size'
  | 'reached_downstream_pipeline_trigger_rate_limit'

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
