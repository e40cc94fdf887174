/** The status of a job, and of a set of jobs (CI language, 10.1 and 11.1). */
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

/** Why a trigger job failed, beyond what a job with a runner may fail for (CI language, 10.3 and 13.2). */
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

/** What keeps a job from every runner there is: it is stuck until somebody does something (CI language, 12.10). */
export interface PendingReason {
  reason: 'no_runner' | 'missing_tags' | 'untagged' | 'protected' | 'paused' | 'offline'
  /** A sentence for people. */
  message: string
  /** Of `missing_tags`: those that no runner has; all of the job's when no runner has them together. */
  missing_tags?: string[]
}

/** What a job would need that it was refused to a runner for, as people are told. */
export interface MissingCapability {
  reason: 'missing_dependency' | 'runner_feature' | 'secrets_provider' | 'identity_provider'
  /** A sentence with the remedy. */
  message: string
}
