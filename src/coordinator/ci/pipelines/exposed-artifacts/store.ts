import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'

/** Jobs that are shown; a pipeline may have thousands. */
export const MAX_EXPOSED = 100

export type JobWithArchive = Pick<JobRow, 'id' | 'name' | 'options'>

/** The latest attempts with an archive, in the order of their creation. */
export function findJobsWithArchive(database: Database, pipelineId: number): Promise<JobWithArchive[]> {
  return database
    .selectFrom('job')
    .innerJoin('job_artifact', 'job_artifact.job_id', 'job.id')
    .select(['job.id', 'job.name', 'job.options'])
    .where('job.pipeline_id', '=', pipelineId)
    .where('job.retried', '=', false)
    .where('job_artifact.file_type', '=', 'archive')
    .where('job_artifact.blob_key', '!=', '')
    .orderBy('job.id')
    .execute()
}
