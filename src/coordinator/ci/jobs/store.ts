import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { countUpTo } from '../../database/count-rows.js'
import { dialectOf } from '../../database/dialect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { Tables } from '../../database/tables/database-tables.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import type { JobRow, PipelineRow, ProjectRow, RunnerRow } from '../../database/tables/pipeline-rows.js'
import type { RunnerManagerTable } from '../../database/tables/runners.js'
import { containsEntry, containsText } from '../../database/text.js'
import type { Paging } from '../../http/page.js'
import { fewIds } from '../../http/paging/few-ids.js'
import { listRows, type Rows, rowsOfPage } from '../../http/paging/list-rows.js'
import { MAX_PARTS, newestOfProjects } from '../../http/paging/newest-of-projects.js'
import { pageOf } from '../../http/paging/page-of.js'
import { IS_NO_SUCCESS } from '../engine/job-status-store.js'
import { DANGLING_SOURCES } from '../engine/pipeline-source.js'
import type { StoredRef } from '../engine/stored-ref.js'
import { namesInProjects } from './job-names.js'

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

const jobByTokenDigest = preparedRead((database, { digest }: { digest: Placeholder<string> }) =>
  database
    .selectFrom('job')
    .selectAll()
    .where('token_digest', '=', digest)
    .where('status', 'in', ['running', 'canceling']),
)

/** The job that works under this token right now. */
export async function findJobByTokenDigest(database: Database, digest: string): Promise<JobRow | undefined> {
  return (await jobByTokenDigest(database, { digest }))[0]
}

/** Filters of a list of jobs; an absent filter selects everything. */
export interface JobSelection {
  /** Defaults to the jobs that runners execute. */
  kind?: JobRow['kind']
  projectId?: number
  pipelineId?: number
  runnerId?: number | undefined
  /** Restricts to one machine of the runner. */
  systemId?: string | undefined
  /** Undefined = of every project. */
  projectIds?: number[] | undefined
  statuses?: JobStatus[] | undefined
  name?: string | undefined
  /** Words that the name contains, all of them and in any order; case-insensitive. */
  words?: string[] | undefined
  /** Short name of a branch or tag; `isTag` restricts it to one kind. */
  ref?: string | undefined
  isTag?: boolean | undefined
  /** A tag that the runner must have. */
  runnerTag?: string | undefined
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
  const named = counted
    ? undefined
    : ((await newestWithName(database, selection, paging)) ??
      (await newestWithWords(database, selection, paging)))
  if (named) return { rows: await rowsById(database, named), total: undefined }
  const matching = await matchingJobs(database, selection, paging)
  if (counted) return listRows(database, matching, paging, order)
  return { rows: await rowsOfPage(database, matching, paging, order), total: undefined }
}

async function rowsById(database: Database, ids: number[]): Promise<JobRow[]> {
  if (ids.length === 0) return []
  return database.selectFrom('job').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
}

/**
 * The IDs of a page of the jobs of all projects with a name, if few projects have such jobs; undefined otherwise. The
 * index of names has them in the order of the list only within a project.
 */
async function newestWithName(
  database: Database,
  selection: JobSelection,
  paging: Paging,
): Promise<number[] | undefined> {
  const { name, projectId, runnerTag, oldestFirst } = selection
  if (name === undefined || projectId !== undefined) return undefined
  if (runnerTag !== undefined || oldestFirst) return undefined
  if (paging.offset + paging.perPage > MAX_PARTS) return undefined
  const projectIds = await projectsWithName(database, name)
  if (projectIds.length > MAX_PARTS) return undefined
  const matching = selectedJobs(database, selection, {})
  return newestOfProjects(database, 'job', matching, { projectIds, paging })
}

/**
 * The IDs of a page of the jobs with a name that contains the words, if few names in few projects do; undefined otherwise.
 * However old the jobs are: the index of names has those of each name in the order of the list.
 */
async function newestWithWords(
  database: Database,
  selection: JobSelection,
  paging: Paging,
): Promise<number[] | undefined> {
  const { words, name, projectId, pipelineId, runnerId, runnerTag, statuses, oldestFirst } = selection
  if (words === undefined || words.length === 0 || name !== undefined) return undefined
  if (pipelineId !== undefined || runnerId !== undefined || runnerTag !== undefined || oldestFirst)
    return undefined
  const last = paging.offset + paging.perPage
  if (last > MAX_PARTS) return undefined
  if (statuses && (await fewInStatuses(database, statuses, projectId))) return undefined
  const named = await namesInProjects(database, { words, projectId, most: MAX_PARTS })
  if (!named) return undefined
  if (named.length === 0) return []
  const order = { table: 'job', column: 'id', direction: 'desc' } as const
  const parts = named.map((part) => {
    const { words: _, ...others } = selection
    const ofPart = selectedJobs(database, { ...others, name: part.name, projectId: part.project_id }, {})
    const newest = pageOf(ofPart.select('job.id'), { ...paging, offset: 0, perPage: last }, order)
    return sql`select id from (${newest}) as part`
  })
  const { rows } = await sql<{ id: number }>`
    select id from (${sql.join(parts, sql` union all `)}) as parts
    order by id desc limit ${paging.perPage} offset ${paging.offset}`.execute(database)
  return rows.map(({ id }) => id)
}

/** At most one more than `MAX_PARTS`; they are read from the index one after another. */
async function projectsWithName(database: Database, name: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive found(id) as (
      select (select project_id from job where name = ${name} order by project_id limit 1)
      union all
      select (select project_id from job where name = ${name} and project_id > found.id order by project_id limit 1)
      from found where found.id is not null
    )
    select id from found where id is not null limit ${MAX_PARTS + 1}`.execute(database)
  return rows.map(({ id }) => id)
}

/**
 * No index has the tags of jobs, and none finds words that many names contain, so they are looked for in this many jobs
 * that match the other filters.
 */
const SEARCHED = 10_000

async function matchingJobs(database: Database, selection: JobSelection, { keyset }: Paging) {
  const selected = selectedJobs(database, selection, await findFew(database, selection))
  const { runnerTag, words = [], oldestFirst } = selection
  if (runnerTag === undefined && words.length === 0) return selected
  const after = keyset?.after
  const searched = selected
    .select(['job.id', 'job.name', 'job.tag_list'])
    .$if(after !== undefined, (jobs) => jobs.where('job.id', '<', after?.id ?? 0))
    .orderBy('job.id', oldestFirst ? 'asc' : 'desc')
    .limit(SEARCHED)
  return database.selectFrom('job').where('job.id', 'in', ({ selectFrom }) =>
    selectFrom(searched.as('searched'))
      .select('searched.id')
      .where(({ and, ref }) =>
        and([
          ...words.map((word) => containsText(ref('searched.name'), word)),
          ...(runnerTag === undefined
            ? []
            : [containsEntry(dialectOf(database), ref('searched.tag_list'), runnerTag)]),
        ]),
      ),
  )
}

/** No more jobs than this are read to sort them. */
const FEW_JOBS = 200_000

/** The pipelines, the jobs or the name that select few jobs; undefined if a filter does not, or is absent. */
interface Few {
  pipelineIds?: number[] | undefined
  ids?: number[] | undefined
  name?: string | undefined
}

/**
 * A filter that selects few jobs is applied first, through its own index. With one that selects many, a page is
 * found quickly in the order of the list.
 */
async function findFew(
  database: Database,
  { name, ref, isTag, projectId, pipelineId, statuses }: JobSelection,
): Promise<Few> {
  if (pipelineId !== undefined) return {}
  const ids = statuses && (await fewInStatuses(database, statuses, projectId))
  if (ids) return { ids }
  const ofRef =
    ref !== undefined &&
    database
      .selectFrom('pipeline')
      .select('pipeline.id')
      .where('pipeline.ref', '=', ref)
      .$if(isTag !== undefined, (query) => query.where('pipeline.tag', '=', isTag ?? false))
      .$if(projectId !== undefined, (query) => query.where('pipeline.project_id', '=', projectId ?? 0))
  const pipelineIds = ofRef ? await fewIds(ofRef) : undefined
  if (pipelineIds) return { pipelineIds }
  // In a project, the index of names is in the order of the list.
  if (name === undefined || projectId !== undefined) return {}
  const named = database.selectFrom('job').where('name', '=', name)
  return (await countUpTo(database, FEW_JOBS + 1, named)) > FEW_JOBS ? {} : { name }
}

/** Undefined if the jobs in the statuses are many. Those that succeeded usually are, so no index has them. */
async function fewInStatuses(
  database: Database,
  statuses: JobStatus[],
  projectId: number | undefined,
): Promise<number[] | undefined> {
  if (statuses.includes('success')) return undefined
  const jobs = database
    .selectFrom('job')
    .select('job.id')
    .where(IS_NO_SUCCESS)
    .where('job.status', 'in', statuses)
    .$if(projectId !== undefined, (query) => query.where('job.project_id', '=', projectId ?? 0))
  return fewIds(jobs)
}

function selectedJobs(database: Database, selection: JobSelection, few: Few) {
  const { kind = 'build', projectId, projectIds, pipelineId, statuses, latestOnly } = selection
  const { runnerId, systemId, name, ref, isTag } = selection
  let query = jobsOf(database, few).where('kind', '=', kind)
  if (name !== undefined) query = query.where('name', '=', name)
  if (ref !== undefined && !few.pipelineIds) query = query.where('ref', '=', ref)
  if (ref !== undefined && isTag !== undefined) query = query.where('tag', '=', isTag)
  // The pipelines are those of the project.
  if (projectId !== undefined && !few.pipelineIds) query = query.where('project_id', '=', projectId)
  if (projectIds) query = query.where('project_id', 'in', projectIds)
  if (pipelineId !== undefined) query = query.where('pipeline_id', '=', pipelineId)
  if (runnerId !== undefined) query = query.where('runner_id', '=', runnerId)
  if (systemId !== undefined) query = query.where('runner_system_id', '=', systemId)
  if (statuses) query = query.where('status', 'in', statuses)
  if (latestOnly) query = query.where('retried', '=', false)
  return query
}

/**
 * All jobs, or those of a filter that selects few. Their limit keeps the database from reading the table in the order of
 * the list instead, where the few may come after millions of others.
 */
function jobsOf(
  database: Database,
  { pipelineIds, ids, name }: Few,
): SelectQueryBuilder<Tables, 'job', object> {
  if (!pipelineIds && !ids && name === undefined) return database.selectFrom('job')
  const few = database
    .selectFrom('job')
    .select(['id', 'project_id', 'pipeline_id', 'kind', 'name', 'status', 'retried', 'ref', 'tag'])
    .select(['tag_list', 'runner_id', 'runner_system_id'])
    .$if(pipelineIds !== undefined, (query) => query.where('pipeline_id', 'in', pipelineIds ?? []))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .limit(Number.MAX_SAFE_INTEGER)
  // Only its columns are used.
  return database.selectFrom(few.as('job'))
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

/** The job of the newest pipeline if there are several. */
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

/** The projects of jobs, by the IDs of the jobs. */
export async function findProjectsOfJobs(
  database: Database,
  ids: readonly number[],
): Promise<{ id: number; project_id: number }[]> {
  if (ids.length === 0) return []
  return database
    .selectFrom('job')
    .select(['id', 'project_id'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
}
