import type { Database } from '../../../database/connect.js'
import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'

const UNDER_WAY: JobStatus[] = ['waiting_for_resource', 'preparing', 'pending', 'running', 'canceling']

/** Whether another job of the same pipeline is going to stop the same environment. */
export async function hasUnfinishedStopJob(
  database: Database,
  job: Pick<JobRow, 'id' | 'pipeline_id' | 'environment_id'>,
): Promise<boolean> {
  const other = await database
    .selectFrom('job')
    .select('id')
    .where('pipeline_id', '=', job.pipeline_id)
    .where('environment_id', '=', job.environment_id)
    .where('environment_action', '=', 'stop')
    .where('id', '!=', job.id)
    .where('retried', '=', false)
    .where('status', 'in', UNDER_WAY)
    .executeTakeFirst()
  return other !== undefined
}

/** The latest attempts of the manual jobs with these names, which stop an environment. */
export async function findStopJobs(
  database: Database,
  pipelineId: number,
  names: string[],
): Promise<JobRow[]> {
  if (names.length === 0) return []
  return database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('name', 'in', names)
    .where('environment_action', '=', 'stop')
    .where('retried', '=', false)
    .orderBy('id')
    .execute()
}
