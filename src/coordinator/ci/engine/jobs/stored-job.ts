import type { Database } from '../../../database/connect.js'
import type { JobRow, PipelineRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import { findJob } from '../job-store.js'
import { findPipeline, findProject } from '../pipeline-store.js'

/** A job with what it belongs to. */
export interface StoredJob {
  job: JobRow
  pipeline: PipelineRow
  project: ProjectRow
  /** Who caused the pipeline, or played or retried the job: what it starts is theirs. */
  user: UserRow
}

/** Undefined for a job that is gone. */
export async function loadStoredJob(database: Database, jobId: number): Promise<StoredJob | undefined> {
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
