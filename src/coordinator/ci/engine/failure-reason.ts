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

/** Another attempt would stand in the same place (CI language, 13.2). */
export const NOT_RETRYABLE: ReadonlySet<string | null> = new Set([
  'pipeline_loop_detected',
  'reached_max_descendant_pipelines_depth',
])
