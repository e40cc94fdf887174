/** Limits of pipelines; 0 = unlimited (CI language, 18). */
export interface PipelineLimits {
  jobsPerPipeline: number
  /** Jobs of a project's unfinished pipelines of the last day, the new one's included. */
  activeJobs: number
  /** Jobs of one pipeline that deploy. */
  deploymentsPerPipeline: number
  /** Pipelines of one project per minute, from all users and sources; child pipelines are not counted. */
  pipelinesPerMinute: number
}

export const DEFAULT_PIPELINE_LIMITS: PipelineLimits = {
  jobsPerPipeline: 0,
  activeJobs: 0,
  deploymentsPerPipeline: 500,
  pipelinesPerMinute: 60,
}
