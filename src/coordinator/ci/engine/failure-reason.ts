/** Another attempt would stand in the same place (CI language, 13.2). */
export const NOT_RETRYABLE: ReadonlySet<string | null> = new Set([
  'pipeline_loop_detected',
  'reached_max_descendant_pipelines_depth',
])
