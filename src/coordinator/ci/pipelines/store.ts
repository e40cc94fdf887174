import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import { isInJson } from '../../database/json-rows.js'
import type { JobRow, PipelineRow, UserRow } from '../../database/tables/pipeline-rows.js'
import type { CompositeStatus } from '../../database/tables/pipelines.js'
import { sameText } from '../../database/text.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { fewIds } from '../../http/paging/few-ids.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { COMPLETED_STATUSES } from '../engine/job-status.js'
import { DANGLING_SOURCES } from '../engine/pipeline-source.js'
import { deletePipelineRow, lockAtRest, pipelinesOfRef, STATUSES_AT_REST } from '../engine/pipeline-store.js'
import type { StoredRef } from '../engine/stored-ref.js'
import { deleteQueueEntries } from '../queue/store.js'
import { recordDeletedJobs } from '../storage/deleted-jobs.js'
import type { PipelineFilters } from './schema.js'

const FINISHED: CompositeStatus[] = ['success', 'failed', 'canceled', 'skipped']

export function findLatestPipeline(
  database: Database,
  projectId: number,
  on: StoredRef,
): Promise<PipelineRow | undefined> {
  return pipelinesOfRef(database, projectId, on).selectAll().executeTakeFirst()
}

/** Whether one of its latest jobs has failed, or was canceled, that may (CI language, 11.1). */
export async function hasWarnings(database: Database, pipelineId: number): Promise<boolean> {
  const warning = await database
    .selectFrom('job')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .where('allow_failure', '=', true)
    .where('status', 'in', ['failed', 'canceled'])
    .limit(1)
    .executeTakeFirst()
  return warning !== undefined
}

/** `PipelineFilters` with the ref resolved. */
export type PipelineSelection = Omit<PipelineFilters, 'ref'> & { on?: StoredRef | undefined }

export async function listPipelines(
  database: Database,
  projectId: number,
  filters: PipelineSelection,
  paging: Paging,
): Promise<Rows<PipelineRow>> {
  const { order_by: column = 'id', sort: direction = 'desc' } = filters
  const order = { table: 'pipeline', column, direction } as const
  return listRows(database, await selectPipelines(database, projectId, filters), paging, order)
}

/** The pipelines of a project that match the filters. */
export async function selectPipelines(database: Database, projectId: number, filters: PipelineSelection) {
  const { name, username } = filters
  const named = usersNamed(database, { name, username })
  const isOfUsers = name !== undefined || username !== undefined
  // The database finds the pipelines of known users by an index.
  const users = isOfUsers ? await fewIds(named) : undefined
  // The page and its count would each go through all refs.
  const latest = await fewLatestOfRefs(database, projectId, filters.scope)
  return filteredPipelines(database, projectId, latest ? { ...filters, scope: undefined } : filters)
    .$if(isOfUsers, (query) => query.where('pipeline.user_id', 'in', users ?? named))
    .$if(latest !== undefined, (query) =>
      query.where(isInJson(dialectOf(database), sql.ref('pipeline.id'), sql.val(JSON.stringify(latest)))),
    )
}

/** The pipelines of a project that a list shows, of any user. */
function filteredPipelines(
  database: Database,
  projectId: number,
  filters: Omit<PipelineSelection, 'name' | 'username'>,
) {
  const { status, on, sha, source } = filters
  const statuses = status && status.length > 0 ? status : statusesOfScope(filters.scope)
  return (
    database
      .selectFrom('pipeline')
      .where('pipeline.project_id', '=', projectId)
      .$if(statuses !== undefined, (query) => query.where('pipeline.status', 'in', statuses ?? []))
      .$if(on !== undefined, (query) =>
        query.where('pipeline.ref', '=', on?.ref ?? '').where('pipeline.tag', '=', on?.tag ?? false),
      )
      .$if(sha !== undefined, (query) => query.where('pipeline.sha', '=', sha ?? ''))
      .$if(source !== undefined, (query) => query.where('pipeline.source', '=', source ?? ''))
      // Child pipelines are listed only if their source is requested.
      .$if(source === undefined, (query) => query.where('pipeline.source', 'not in', DANGLING_SOURCES))
      .$if(filters.yaml_errors !== undefined, (query) =>
        query.where('pipeline.yaml_errors', filters.yaml_errors ? 'is not' : 'is', null),
      )
      .$if(filters.updated_after !== undefined, (query) =>
        query.where('pipeline.updated_at', '>=', timeOf(filters.updated_after)),
      )
      .$if(filters.updated_before !== undefined, (query) =>
        query.where('pipeline.updated_at', '<=', timeOf(filters.updated_before)),
      )
      .$if(filters.created_after !== undefined, (query) =>
        query.where('pipeline.created_at', '>=', timeOf(filters.created_after)),
      )
      .$if(filters.created_before !== undefined, (query) =>
        query.where('pipeline.created_at', '<=', timeOf(filters.created_before)),
      )
      .$if(filters.scope === 'branches' || filters.scope === 'tags', (query) =>
        query.where(latestOfEachRef(projectId, filters.scope === 'tags')),
      )
  )
}

/** The latest pipeline of each of these commits, however many each of them has. */
export function findLatestOfCommits(
  database: Database,
  projectId: number,
  shas: readonly string[],
): Promise<PipelineRow[]> {
  const commits = shas.map((sha) => sql`(${sha})`)
  return database
    .selectFrom('pipeline')
    .selectAll()
    .where(
      sql<SqlBool>`id in (
        with wanted(sha) as (values ${sql.join(commits)})
        select (
          select pipeline.id from pipeline
          where project_id = ${projectId} and pipeline.sha = wanted.sha
            and source not in (${sql.join(DANGLING_SOURCES)})
          order by pipeline.id desc limit 1
        ) from wanted
      )`,
    )
    .orderBy('id', 'desc')
    .execute()
}

function statusesOfScope(scope: PipelineFilters['scope']): CompositeStatus[] | undefined {
  switch (scope) {
    case 'running':
    case 'pending':
      return [scope]
    case 'finished':
      return FINISHED
    case 'branches':
    case 'tags':
    case undefined:
      return undefined
  }
}

function usersNamed(database: Database, { name, username }: Pick<PipelineFilters, 'name' | 'username'>) {
  return database
    .selectFrom('user')
    .select('user.id')
    .$if(name !== undefined, (query) => query.where('user.name', '=', name ?? ''))
    .$if(username !== undefined, (query) =>
      query.where(({ ref }) => sameText(ref('user.username'), username ?? '')),
    )
}

/**
 * Whether a pipeline is the latest of its branch or tag. Each step reads one index entry, the last of the
 * next lower ref, whatever the number of pipelines per ref. Pipelines of merge requests are on neither a branch nor a tag.
 */
function latestOfEachRef(projectId: number, tag: boolean): RawBuilder<SqlBool> {
  const isOfKind = sql`project_id = ${projectId} and tag = ${tag} and merge_request_id is null
    and source not in (${sql.join(DANGLING_SOURCES)})`
  return sql<SqlBool>`pipeline.id in (
    with recursive latest(id) as (
      select (select id from pipeline where ${isOfKind} order by ref desc, id desc limit 1)
      union all
      select (
        select id from pipeline where ${isOfKind} and ref < found.ref order by ref desc, id desc limit 1
      ) from latest join pipeline as found on found.id = latest.id
    )
    select id from latest where id is not null
  )`
}

/** More branches or tags than this are gone through once for the page and once for the count of a list. */
const MAX_REFS = 10_000

/** The latest pipelines of the branches or tags. Undefined if the scope has neither, or there are too many. */
async function fewLatestOfRefs(
  database: Database,
  projectId: number,
  scope: PipelineFilters['scope'],
): Promise<number[] | undefined> {
  if (scope !== 'branches' && scope !== 'tags') return undefined
  const latest = latestOfEachRef(projectId, scope === 'tags')
  return fewIds(database.selectFrom('pipeline').select('pipeline.id').where(latest), MAX_REFS)
}

/** The parameter has already been checked to be a time. */
function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '')
}

export function findUser(database: Database, id: number): Promise<UserRow | undefined> {
  return database.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The jobs with these IDs that belong to the pipeline. */
export function findJobsOfPipeline(database: Database, pipelineId: number, ids: number[]): Promise<JobRow[]> {
  return database
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('id', 'in', ids)
    .execute()
}

/** The index of a stage in the CI file; undefined for an unknown stage. */
export async function findStageIndex(
  database: Database,
  pipelineId: number,
  name: string,
): Promise<number | undefined> {
  const stage = await database
    .selectFrom('stage')
    .select('position')
    .where('pipeline_id', '=', pipelineId)
    .where('name', '=', name)
    .executeTakeFirst()
  return stage?.position
}

export type JobOfPipeline = Pick<JobRow, 'id' | 'project_id' | 'status'>

export function childrenOf(database: Database, pipelineIds: number[]): Promise<PipelineRow[]> {
  return database
    .selectFrom('downstream_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'downstream_pipeline.pipeline_id')
    .selectAll('pipeline')
    .where('upstream_pipeline_id', 'in', pipelineIds)
    .where('kind', '=', 'child')
    .orderBy('pipeline.id')
    .execute()
}

export async function areAtRest(database: Database, ids: number[]): Promise<boolean> {
  const moving = await database
    .selectFrom('pipeline')
    .select('id')
    .where('id', 'in', ids)
    .where('status', 'not in', STATUSES_AT_REST)
    .executeTakeFirst()
  return moving === undefined
}

/** IDs of the ended jobs of a pipeline. */
export async function endedJobsOf(database: Database, pipelineId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('job')
    .select('id')
    .where('pipeline_id', '=', pipelineId)
    .where('status', 'in', COMPLETED_STATUSES)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes the pipelines like `deletePipelineRows`, if all of them are at rest; undefined otherwise. */
export async function deleteRowsAtRest(
  database: Database,
  ids: number[],
): Promise<JobOfPipeline[] | undefined> {
  return inTransaction(database, async (tx) => {
    for (const id of ids.toSorted((one, other) => one - other))
      if (!(await lockAtRest(tx, id))) return undefined
    return deleteRows(tx, ids)
  })
}

/**
 * Deletes pipelines, all or none, and records their jobs for `deleteFilesOf`. Returns those jobs. Locks the
 * pipelines in the order of their ids, like all code that locks several pipelines.
 */
export async function deletePipelineRows(database: Database, ids: number[]): Promise<JobOfPipeline[]> {
  return inTransaction(database, (tx) => deleteRows(tx, ids))
}

async function deleteRows(tx: Transaction, ids: number[]): Promise<JobOfPipeline[]> {
  await recordDeletedJobs(tx, ids)
  const jobs = await tx
    .selectFrom('job')
    .select(['id', 'project_id', 'status'])
    .where('pipeline_id', 'in', ids)
    .execute()
  for (const id of ids) await deleteQueueEntries(tx, 'job.pipeline_id', id)
  for (const id of ids.toSorted((one, other) => one - other)) await deletePipelineRow(tx, id)
  return jobs
}
