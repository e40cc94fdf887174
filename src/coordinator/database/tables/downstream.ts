import type { Id, Timestamp } from '../columns.js'

/** Where a pipeline is from that a trigger job started (CI language, 13). */
export interface DownstreamPipelineTable {
  pipeline_id: number
  /** `child`: of the same project, made of files of the trigger job. */
  kind: 'child' | 'project'
  /** How the trigger job follows it; null = it does not. */
  strategy: 'depend' | 'mirror' | null
  /** These three may be gone. A job that was skipped and comes up again may have started several; the newest counts. */
  upstream_job_id: number
  upstream_pipeline_id: number
  upstream_project_id: number
  /** Parents above it in the same project. */
  depth: number
  /** The topmost of its parents; itself for a pipeline of another project. */
  root_id: number
  /** The topmost of all that led to it, whatever their projects. */
  hierarchy_root_id: number
  created_at: Timestamp
}

/** The pipeline of another project whose status a trigger job takes over (CI language, 3.8). */
export interface MirroredPipelineTable {
  job_id: number
  pipeline_id: number
}

/** A job of another project whose artifacts a job fetches; chosen when the job is handed out (CI language, 16.2). */
export interface ProjectDependencyTable {
  job_id: number
  needed_job_id: number
}

export type BridgeTaskKind =
  /** Subject: a pending trigger job, whose pipeline is to be created or found. */
  | 'create'
  /** Subject: a trigger job, which is to take over how its pipeline stands now. */
  | 'follow'
  /** Subject: a trigger job that has ended, whose pipeline runs again. */
  | 'restart'
  /** Subject: a pipeline, which is to be canceled with the one above it. */
  | 'cancel'

/**
 * What an event in one pipeline brings about in another. Written with the event, done after it: nobody holds two
 * pipelines of one hierarchy at once. Whoever does it deletes the row in the same transaction.
 */
export interface BridgeTaskTable {
  id: Id
  kind: BridgeTaskKind
  subject_id: number
  created_at: Timestamp
}
