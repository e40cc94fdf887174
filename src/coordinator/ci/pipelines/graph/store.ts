import { type ExpressionBuilder, type InferResult, sql } from 'kysely'

import { valuesBy } from '../../../../lib/group-by.js'
import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type { ProjectRow } from '../../../database/tables/pipeline-rows.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'

export type GraphRow = InferResult<ReturnType<typeof graphRows>>[number]

/** The latest jobs of a pipeline, in the order of the stages. */
export function findGraphRows(database: Database, pipelineId: number): Promise<GraphRow[]> {
  return graphRows(database)
    .where('job.pipeline_id', '=', pipelineId)
    .orderBy('job.stage_index')
    .orderBy('job.id')
    .execute()
}

/** Those of the jobs that are latest attempts. */
export function findGraphRowsById(database: Database, jobIds: number[]): Promise<GraphRow[]> {
  return graphRows(database).where('job.id', 'in', jobIds).orderBy('job.id').execute()
}

/** Without large columns. Only single values of the options are read, because the options hold the scripts. */
function graphRows(database: Database) {
  return database
    .selectFrom('job')
    .leftJoin('runner', 'runner.id', 'job.runner_id')
    .leftJoin('environment', 'environment.id', 'job.environment_id')
    .leftJoin('job_artifact as archive', (join) =>
      join
        .onRef('archive.job_id', '=', 'job.id')
        .on('archive.file_type', '=', 'archive')
        .on('archive.blob_key', '!=', ''),
    )
    .select([
      ...(['job.id', 'job.project_id', 'job.pipeline_id', 'job.kind', 'job.name', 'job.stage'] as const),
      ...(['job.status', 'job.when', 'job.allow_failure', 'job.scheduling_type', 'job.retried'] as const),
      ...(['job.created_at', 'job.queued_at', 'job.started_at', 'job.finished_at'] as const),
      ...(['job.scheduled_at', 'job.failure_reason', 'job.waited_for', 'job.coverage'] as const),
      ...(['job.runner_id', 'job.tag_list'] as const),
      'runner.description as runner_description',
      'environment.name as environment',
      'archive.size as archive_size',
    ])
    .select([
      sql<number | null>`cast(job.options -> 'parallel' ->> 'index' as integer)`.as('parallel_index'),
      sql<number | null>`cast(job.options -> 'parallel' ->> 'total' as integer)`.as('parallel_total'),
      sql<string | null>`job.options ->> 'manualConfirmation'`.as('manual_confirmation'),
      sql<string | null>`job.options ->> 'mirrors'`.as('mirrors'),
    ])
    .where('job.retried', '=', false)
}

export type AttemptRow = InferResult<ReturnType<typeof replacedAttempts>>[number]

/** The replaced attempts of pipelines, the oldest first. */
export function findReplacedAttempts(database: Database, pipelineIds: number[]): Promise<AttemptRow[]> {
  return replacedAttempts(database).where('job.pipeline_id', 'in', pipelineIds).execute()
}

function replacedAttempts(database: Database) {
  return database
    .selectFrom('job')
    .leftJoin('runner', 'runner.id', 'job.runner_id')
    .select(['job.id', 'job.pipeline_id', 'job.name', 'job.status', 'job.failure_reason', 'job.runner_id'])
    .select(['job.created_at', 'job.queued_at', 'job.started_at', 'job.finished_at'])
    .select('runner.description as runner_description')
    .where('job.retried', '=', true)
    .orderBy('job.id')
}

/** Names of the needed jobs, by job. */
export async function findNeededNames(
  database: Database,
  selection: { pipelineId: number } | { jobIds: number[] },
): Promise<Map<number, string[]>> {
  const ofPipeline = ({ selectFrom }: ExpressionBuilder<Tables, 'job_need'>) =>
    selectFrom('job')
      .select('job.id')
      .where('job.pipeline_id', '=', 'pipelineId' in selection ? selection.pipelineId : 0)
      .where('job.retried', '=', false)
  const rows = await database
    .selectFrom('job_need')
    .select(['job_need.job_id', 'job_need.name'])
    .where('job_need.job_id', 'in', 'jobIds' in selection ? selection.jobIds : ofPipeline)
    .execute()
  return valuesBy(rows, ({ job_id, name }) => [job_id, name])
}

export type ExternalRow = Awaited<ReturnType<typeof findExternalRows>>[number]

/** The latest statuses that other systems reported for a pipeline. */
export function findExternalRows(database: Database, pipelineId: number) {
  return database
    .selectFrom('commit_status')
    .innerJoin('stage', 'stage.id', 'commit_status.stage_id')
    .select(['commit_status.id', 'commit_status.name', 'stage.name as stage', 'commit_status.status'])
    .select(['commit_status.created_at', 'commit_status.started_at', 'commit_status.finished_at'])
    .select(['commit_status.coverage', 'commit_status.target_url', 'commit_status.pipeline_id'])
    .where('commit_status.pipeline_id', '=', pipelineId)
    .where('commit_status.retried', '=', false)
    .orderBy('commit_status.id')
    .execute()
}

export function findStages(
  database: Database,
  pipelineId: number,
): Promise<{ name: string; status: CompositeStatus }[]> {
  return database
    .selectFrom('stage')
    .select(['name', 'status'])
    .where('pipeline_id', '=', pipelineId)
    .orderBy('position')
    .execute()
}

/** Time of the last change of a pipeline, its jobs and its external statuses, in milliseconds since 1970. */
export async function findPipelineVersion(
  database: Database,
  pipelineId: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ version: number | null }>`
    select max(updated_at) as version from (
      select updated_at from pipeline where id = ${pipelineId}
      union all select max(updated_at) from job where pipeline_id = ${pipelineId}
      union all select max(updated_at) from commit_status where pipeline_id = ${pipelineId}
    ) changes`.execute(database)
  return rows[0]?.version ?? undefined
}

export interface LinkedRow {
  id: number
  project_id: number
  status: CompositeStatus
}

/** The pipeline that each of the trigger jobs started last, or mirrors. */
export async function findLinkedDownstream(
  database: Database,
  jobIds: number[],
): Promise<Map<number, LinkedRow>> {
  if (jobIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('downstream_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'downstream_pipeline.pipeline_id')
    .select(['downstream_pipeline.upstream_job_id as job_id', 'pipeline.id', 'pipeline.project_id'])
    .select('pipeline.status')
    .where('upstream_job_id', 'in', jobIds)
    .unionAll(
      database
        .selectFrom('mirrored_pipeline')
        .innerJoin('pipeline', 'pipeline.id', 'mirrored_pipeline.pipeline_id')
        .select(['mirrored_pipeline.job_id', 'pipeline.id', 'pipeline.project_id', 'pipeline.status'])
        .where('job_id', 'in', jobIds),
    )
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ job_id, ...pipeline }) => [job_id, pipeline]))
}

export function findLinkedUpstream(database: Database, pipelineId: number): Promise<LinkedRow | undefined> {
  return database
    .selectFrom('downstream_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'downstream_pipeline.upstream_pipeline_id')
    .select(['pipeline.id', 'pipeline.project_id', 'pipeline.status'])
    .where('downstream_pipeline.pipeline_id', '=', pipelineId)
    .executeTakeFirst()
}

export function findProjects(database: Database, ids: number[]): Promise<ProjectRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return database.selectFrom('project').selectAll().where('id', 'in', ids).execute()
}
