import type { Database } from '../database/connect.js'
import { type Placeholder, preparedRead } from '../database/prepared-read.js'
import type { JobRow, PipelineRow } from '../database/tables/pipeline-rows.js'

/** Where a job belongs. */
export type PlacedJob = Pick<JobRow, 'id' | 'pipeline_id' | 'project_id'>

export function findPlacedJobs(database: Database, ids: readonly number[]): Promise<PlacedJob[]> {
  return database
    .selectFrom('job')
    .select(['id', 'pipeline_id', 'project_id'])
    .where('id', 'in', ids)
    .execute()
}

export function findPlacedPipelines(
  database: Database,
  ids: readonly number[],
): Promise<Pick<PipelineRow, 'id' | 'project_id'>[]> {
  return database.selectFrom('pipeline').select(['id', 'project_id']).where('id', 'in', ids).execute()
}

export function findPipelines(database: Database, ids: readonly number[]): Promise<PipelineRow[]> {
  return database.selectFrom('pipeline').selectAll().where('id', 'in', ids).execute()
}

/** IDs of jobs of a pipeline that changed after a time, above the ID `after`, in order. */
export async function findChangedJobs(
  database: Database,
  pipelineId: number,
  { changedAfter, after, limit }: { changedAfter: number; after: number; limit: number },
): Promise<number[]> {
  const rows = await database
    .selectFrom('job')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('updated_at', '>', changedAfter)
    .where('id', '>', after)
    .where('retried', '=', false)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Trigger jobs that show the status of these downstream pipelines. */
export async function findTriggerJobs(database: Database, pipelineIds: readonly number[]): Promise<number[]> {
  const rows = await database
    .selectFrom('downstream_pipeline')
    .select('upstream_job_id')
    .where('pipeline_id', 'in', pipelineIds)
    .execute()
  return rows.map(({ upstream_job_id }) => upstream_job_id)
}

/** The newest pipelines of a project, newest first. */
export function findNewestPipelines(
  database: Database,
  projectId: number,
  limit: number,
): Promise<Pick<PipelineRow, 'id' | 'updated_at'>[]> {
  return database
    .selectFrom('pipeline')
    .select(['id', 'updated_at'])
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findJobRows(database: Database, ids: readonly number[]): Promise<JobRow[]> {
  return database.selectFrom('job').selectAll().where('id', 'in', ids).execute()
}

export async function findProjectIdOfPipeline(database: Database, id: number): Promise<number | undefined> {
  const row = await database
    .selectFrom('pipeline')
    .select('project_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.project_id
}

/** Those of the jobs that wait for a runner or a resource. */
export function findWaitingJobs(
  database: Database,
  ids: readonly number[],
): Promise<Pick<JobRow, 'id' | 'status' | 'waited_for'>[]> {
  return database
    .selectFrom('job')
    .select(['id', 'status', 'waited_for'])
    .where('id', 'in', ids)
    .where('status', 'in', ['pending', 'waiting_for_resource'])
    .execute()
}

const traceStateById = preparedRead((database, { id }: { id: Placeholder<number> }) =>
  database
    .selectFrom('job')
    .select(['id', 'project_id', 'kind', 'status', 'started_at', 'debug_trace', 'erased_at'])
    .where('id', '=', id),
)

export type TraceState = Pick<
  JobRow,
  'id' | 'project_id' | 'kind' | 'status' | 'started_at' | 'debug_trace' | 'erased_at'
>

/** What decides about reading the log of a job; undefined if the job does not exist. */
export async function findTraceState(database: Database, jobId: number): Promise<TraceState | undefined> {
  const [state] = await traceStateById(database, { id: jobId })
  return state
}
