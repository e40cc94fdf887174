import type { Database } from '../../database/connect.js'
import { findJob } from '../job-store.js'
import { findPipeline, findProject } from '../pipeline-store.js'
import type { JobRow, PipelineRow, ProjectRow, UserRow } from '../rows.js'
import type { BridgeFailureReason } from './failure-reason.js'

/** A trigger job with what it belongs to. */
export interface Bridge {
  job: JobRow
  pipeline: PipelineRow
  project: ProjectRow
  /** Who caused the pipeline, or played or retried the job: what it starts is theirs. */
  user: UserRow
}

export interface Refusal {
  kind: 'refused'
  reason: BridgeFailureReason | 'pipeline_loop_detected' | 'user_blocked' | 'archived_failure'
  /** For people, one sentence a line. */
  errors: string
}

export function refused(reason: Refusal['reason'], errors: string): Refusal {
  return { kind: 'refused', reason, errors }
}

/** Undefined for a job that is gone. */
export async function loadBridge(database: Database, jobId: number): Promise<Bridge | undefined> {
  const job = await findJob(database, jobId)
  if (!job) return undefined
  const user = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', job.user_id)
    .executeTakeFirstOrThrow()
  return {
    job,
    user,
    pipeline: await findPipeline(database, job.pipeline_id),
    project: await findProject(database, job.project_id),
  }
}
