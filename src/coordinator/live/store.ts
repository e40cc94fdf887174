import { sql } from 'kysely'

import { chunks } from '../../lib/chunks.js'
import { IDS_PER_STATEMENT } from '../ci/engine/job-store.js'
import type { Database } from '../database/connect.js'
import { preparedRead } from '../database/prepared-read.js'
import type { Placeholder } from '../database/prepared-statement.js'
import type { JobRow, PipelineRow } from '../database/tables/pipeline-rows.js'
import { DISCUSSED, type DiscussedKind } from '../hosting/planned-changes.js'
import { findGroupWiki } from '../hosting/wikis/group-wiki-store.js'
import { findWiki } from '../hosting/wikis/store.js'
import type { WikiTopic } from './topics.js'

/** Where a job belongs. */
export interface PlacedJob extends Pick<JobRow, 'id' | 'pipeline_id' | 'project_id' | 'runner_id'> {
  /** ID of the user who started the pipeline. */
  pipeline_user_id: number
}

export async function findPlacedJobs(database: Database, ids: readonly number[]): Promise<PlacedJob[]> {
  const found: PlacedJob[] = []
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const jobs = database
      .selectFrom('job')
      .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
      .select(['job.id', 'job.pipeline_id', 'job.project_id', 'job.runner_id'])
      .select('pipeline.user_id as pipeline_user_id')
    found.push(...(await jobs.where('job.id', 'in', some).execute()))
  }
  return found
}

export type PlacedPipeline = Pick<PipelineRow, 'id' | 'project_id' | 'user_id'>

export function findPlacedPipelines(database: Database, ids: readonly number[]): Promise<PlacedPipeline[]> {
  return database
    .selectFrom('pipeline')
    .select(['id', 'project_id', 'user_id'])
    .where('id', 'in', ids)
    .execute()
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

export async function findProjectVersion(database: Database, id: number): Promise<number> {
  const project = await database
    .selectFrom('project')
    .select('updated_at')
    .where('id', '=', id)
    .executeTakeFirst()
  return project?.updated_at ?? 0
}

/** Time of the last change of a record with comments, or of these; 0 if there is none. */
export async function findPlannedVersion(
  database: Database,
  { kind, id }: { kind: DiscussedKind; id: number },
): Promise<number> {
  const { table, column } = DISCUSSED[kind]
  const record = await database.selectFrom(table).select('updated_at').where('id', '=', id).executeTakeFirst()
  const notes = await database
    .selectFrom('note')
    .select(({ fn }) => fn.max('updated_at').as('updated_at'))
    .where(column, '=', id)
    .executeTakeFirst()
  return Math.max(record?.updated_at ?? 0, notes?.updated_at ?? 0)
}

/** Time of the last change of a wiki; 0 if there is none. */
export async function findWikiVersion(
  database: Database,
  { of, id }: Pick<WikiTopic, 'of' | 'id'>,
): Promise<number> {
  const wiki = await (of === 'project' ? findWiki(database, id) : findGroupWiki(database, id))
  return wiki?.updated_at ?? 0
}

/** Number of jobs in the queue: all, those of a project, or those of the projects below a path. */
export async function countQueue(
  database: Database,
  { projectId, below }: { projectId?: number; below?: string } = {},
): Promise<number> {
  const { jobs } = await database
    .selectFrom('queue_entry')
    .innerJoin('project', 'project.id', 'queue_entry.project_id')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .$if(projectId !== undefined, (query) => query.where('project.id', '=', projectId ?? 0))
    .$if(below !== undefined, (query) =>
      query.where(
        ({ ref }) => sql`substr(${ref('project.full_path')}, 1, ${(below ?? '').length + 1})`,
        '=',
        `${below}/`,
      ),
    )
    .executeTakeFirstOrThrow()
  return jobs
}

const traceStateById = preparedRead((database, { id }: { id: Placeholder<number> }) =>
  database
    .selectFrom('job')
    .select(['id', 'project_id', 'kind', 'status', 'started_at', 'debug_trace', 'trace_bytes', 'erased_at'])
    .where('id', '=', id),
)

export type TraceState = Pick<
  JobRow,
  'id' | 'project_id' | 'kind' | 'status' | 'started_at' | 'debug_trace' | 'trace_bytes' | 'erased_at'
>

/** What decides about reading the log of a job; undefined if the job does not exist. */
export async function findTraceState(database: Database, jobId: number): Promise<TraceState | undefined> {
  const [state] = await traceStateById(database, { id: jobId })
  return state
}
