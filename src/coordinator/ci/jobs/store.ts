import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow, PipelineRow, ProjectRow, RunnerRow } from '../../database/tables/pipeline-rows.js'
import type { RunnerManagerTable } from '../../database/tables/runners.js'
import type { Paging } from '../../http/operation.js'
import { listRows, type Rows, rowsOfPage } from '../../http/paging/list-rows.js'
import { DANGLING_SOURCES } from '../engine/pipeline-source.js'
import type { StoredRef } from '../engine/stored-ref.js'

export function findJobOfProject(
  database: Database,
  projectId: number,
  id: number,
): Promise<JobRow | undefined> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The job that works under this token right now. */
export function findJobByTokenDigest(database: Database, digest: string): Promise<JobRow | undefined> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('token_digest', '=', digest)
    .where('status', 'in', ['running', 'canceling'])
    .executeTakeFirst()
}

/** Filters of a list of jobs; an absent filter selects everything. */
export interface JobSelection {
  /** Defaults to the jobs that runners execute. */
  kind?: JobRow['kind']
  projectId?: number
  pipelineId?: number
  runnerId?: number
  /** Restricts to one machine of the runner. */
  systemId?: string | undefined
  /** Undefined = of every project. */
  projectIds?: number[] | undefined
  statuses?: JobStatus[]
  /** Leaves out attempts that a newer one has replaced. */
  latestOnly?: boolean
  oldestFirst?: boolean
}

/** Counts the rows unless the page says otherwise. */
export async function listJobs(
  database: Database,
  selection: JobSelection,
  paging: Paging,
  counted = true,
): Promise<Rows<JobRow>> {
  const order = { table: 'job', column: 'id', direction: selection.oldestFirst ? 'asc' : 'desc' } as const
  const matching = selectedJobs(database, selection)
  if (counted) return listRows(database, matching, paging, order)
  return { rows: await rowsOfPage(database, matching, paging, order), total: undefined }
}

function selectedJobs(database: Database, selection: JobSelection) {
  const { kind = 'build', projectId, projectIds, pipelineId, statuses, latestOnly } = selection
  const { runnerId, systemId } = selection
  let query = database.selectFrom('job').where('kind', '=', kind)
  if (projectId !== undefined) query = query.where('project_id', '=', projectId)
  if (projectIds) query = query.where('project_id', 'in', projectIds)
  if (pipelineId !== undefined) query = query.where('pipeline_id', '=', pipelineId)
  if (runnerId !== undefined) query = query.where('runner_id', '=', runnerId)
  if (systemId !== undefined) query = query.where('runner_system_id', '=', systemId)
  if (statuses) query = query.where('status', 'in', statuses)
  if (latestOnly) query = query.where('retried', '=', false)
  return query
}

/** The pipeline that each of the trigger jobs started last, or mirrors. */
export async function followedPipelines(
  database: Database,
  jobIds: number[],
): Promise<Map<number, PipelineRow>> {
  if (jobIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('downstream_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'downstream_pipeline.pipeline_id')
    .selectAll('pipeline')
    .select('upstream_job_id as job_id')
    .where('upstream_job_id', 'in', jobIds)
    .unionAll(
      database
        .selectFrom('mirrored_pipeline')
        .innerJoin('pipeline', 'pipeline.id', 'mirrored_pipeline.pipeline_id')
        .selectAll('pipeline')
        .select('job_id')
        .where('job_id', 'in', jobIds),
    )
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ job_id, ...pipeline }) => [job_id, pipeline]))
}

/** Source of pipelines that contain only external commit statuses. */
const WITHOUT_JOBS = 'external'

/** Ids of the latest successful pipelines of a branch or tag, the newest first. */
export async function findSuccessful(
  database: Database,
  projectId: number,
  { ref, tag }: StoredRef,
  limit: number,
): Promise<number[]> {
  const rows = await database
    .selectFrom('pipeline')
    .select('id')
    .where('project_id', '=', projectId)
    .where('ref', '=', ref)
    .where('tag', '=', tag)
    .where('status', '=', 'success')
    .where('source', 'not in', [...DANGLING_SOURCES, WITHOUT_JOBS])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Of several jobs, the one of the newest pipeline. */
export function findJobWithArchive(
  database: Database,
  pipelineIds: number[],
  name: string,
): Promise<JobRow | undefined> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', 'in', pipelineIds)
    .where('name', '=', name)
    .where('status', '=', 'success')
    .where('retried', '=', false)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('job_artifact')
          .select('job_artifact.id')
          .whereRef('job_artifact.job_id', '=', 'job.id')
          .where('job_artifact.file_type', '=', 'archive')
          .where('job_artifact.blob_key', '!=', ''),
      ),
    )
    .orderBy('pipeline_id', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
}

/** Ids of the child pipelines of the pipelines. */
export async function findChildren(database: Database, pipelineIds: number[]): Promise<number[]> {
  const rows = await database
    .selectFrom('downstream_pipeline')
    .select('pipeline_id')
    .where('upstream_pipeline_id', 'in', pipelineIds)
    .where('kind', '=', 'child')
    .execute()
  return rows.map(({ pipeline_id }) => pipeline_id)
}

export function pipelinesById(database: Database, ids: number[]): Promise<PipelineRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return database.selectFrom('pipeline').selectAll().where('id', 'in', ids).execute()
}

export function runnersById(database: Database, ids: number[]): Promise<RunnerRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return database.selectFrom('runner').selectAll().where('id', 'in', ids).execute()
}

export type ManagerRow = Selectable<RunnerManagerTable>

/** The machines that have or had the jobs. */
export function machinesOf(
  database: Database,
  jobs: Pick<JobRow, 'runner_id' | 'runner_system_id'>[],
): Promise<ManagerRow[]> {
  const runnerIds = [...new Set(jobs.flatMap(({ runner_id }) => runner_id ?? []))]
  const systemIds = [...new Set(jobs.flatMap(({ runner_system_id }) => runner_system_id ?? []))]
  if (runnerIds.length === 0 || systemIds.length === 0) return Promise.resolve([])
  return database
    .selectFrom('runner_manager')
    .selectAll()
    .where('runner_id', 'in', runnerIds)
    .where('system_id', 'in', systemIds)
    .execute()
}

export function projectsById(database: Database, ids: number[]): Promise<ProjectRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return database.selectFrom('project').selectAll().where('id', 'in', ids).execute()
}
