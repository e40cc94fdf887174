import type { Id, Timestamp } from '../columns.js'

/** Origin of a pipeline that was started by a trigger job (CI language, 13). */
export interface DownstreamPipelineTable {
  pipeline_id: number
  /** `child`: in the same project, created from files of the trigger job. */
  kind: 'child' | 'project'
  /** How the trigger job follows the pipeline; null = not at all. */
  strategy: 'depend' | 'mirror' | null
  /**
   * These three rows may have been deleted. A skipped job that runs later may have started several pipelines;
   * the newest one counts.
   */
  upstream_job_id: number
  upstream_pipeline_id: number
  upstream_project_id: number
  /** Number of ancestor pipelines in the same project. */
  depth: number
  /** Root of the pipelines in the same project; the pipeline itself if another project started it. */
  root_id: number
  /** Root of all ancestor pipelines, whatever their projects. */
  hierarchy_root_id: number
  created_at: Timestamp
}

/** The pipeline of another project whose status a trigger job mirrors (CI language, 3.8). */
export interface MirroredPipelineTable {
  job_id: number
  pipeline_id: number
}

/** A job of another project whose artifacts a job downloads; chosen at dispatch (CI language, 16.2). */
export interface ProjectDependencyTable {
  job_id: number
  needed_job_id: number
}

export type BridgeTaskKind =
  /** Subject: a pending trigger job, whose pipeline must be created or found. */
  | 'create'
  /** Subject: a trigger job, which must take the current status of its pipeline. */
  | 'follow'
  /** Subject: an ended trigger job, whose pipeline runs again. */
  | 'restart'
  /** Subject: a pipeline, which must be canceled with its upstream pipeline. */
  | 'cancel'

/**
 * Effect of an event in one pipeline on another pipeline. It is written with the event and applied later, so that
 * no transaction locks two pipelines of one hierarchy. The transaction that applies it deletes the row.
 */
export interface BridgeTaskTable {
  id: Id
  kind: BridgeTaskKind
  subject_id: number
  created_at: Timestamp
}
