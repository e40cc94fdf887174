import type { Database } from '../../../database/connect.js'
import type { JobRow, PipelineRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import { findJob } from '../job-store.js'
import { findPipeline, findProject } from '../pipeline-store.js'

/** A job with its related rows. */
export interface StoredJob {
  job: JobRow
  pipeline: PipelineRow
  project: ProjectRow
  /** The user who created the pipeline, or played or retried the job, and owns what it starts. */
  user: UserRow
}

/** Undefined for a deleted job. */
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
