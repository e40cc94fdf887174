import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { countRows, hasManyRows, MAX_COUNTED } from '../../database/count-rows.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { Paging } from '../../http/page.js'
import type { CommitStatusRow } from '../engine/commit-status-store.js'
import type { StoredRef } from '../engine/stored-ref.js'
import type { StatusFilters } from './schema.js'

/** `StatusFilters` with the ref resolved. */
export type StatusSelection = Omit<StatusFilters, 'ref'> & { on?: StoredRef | undefined }

/** Jobs and external statuses. */
export type Member = { kind: 'job'; row: JobRow } | { kind: 'reported'; row: CommitStatusRow }

interface StatusCursor {
  kind: Member['kind']
  id: number
}

/** One page of the statuses of a commit, in the requested order. */
export async function listStatuses(
  database: Database,
  projectId: number,
  filters: StatusSelection,
  paging: Paging,
): Promise<Member[]> {
  const cursors = await listCursors(database, projectId, filters, paging)
  const jobs = await jobsById(database, idsOf(cursors, 'job'))
  const reported = await statusesById(database, idsOf(cursors, 'reported'))
  return cursors.flatMap(({ kind, id }): Member[] => {
    const job = kind === 'job' ? jobs.get(id) : undefined
    const status = kind === 'reported' ? reported.get(id) : undefined
    if (job) return [{ kind: 'job', row: job }]
    return status ? [{ kind: 'reported', row: status }] : []
  })
}

/** The candidates of both kinds for the page. Each kind is limited to the page before they are merged. */
async function listCursors(
  database: Database,
  projectId: number,
  { sort = 'asc', order_by = 'id', ...filters }: StatusSelection,
  { perPage, offset }: Paging,
): Promise<StatusCursor[]> {
  const terms = sql`${sql.ref(order_by)} ${sql.raw(sort)}, id ${sql.raw(sort)}`
  const jobs = jobsOfCommit(database, projectId, filters)
  const reported = await reportedOfCommit(database, projectId, filters)
  const { rows } = await sql<StatusCursor>`
    select kind, id from (
      select * from ${jobs.orderBy(terms).limit(offset + perPage)} as jobs
      union all
      select * from ${reported.orderBy(terms).limit(offset + perPage)} as reported
    ) as cursor
    order by ${terms}, kind ${sql.raw(sort)} limit ${perPage} offset ${offset}`.execute(database)
  return rows
}

/** Stops counting at 10,001 (API, A7). */
export async function countStatuses(
  database: Database,
  projectId: number,
  filters: StatusSelection,
): Promise<number> {
  const jobs = await countRows(database, jobsOfCommit(database, projectId, filters))
  if (jobs > MAX_COUNTED) return jobs
  return jobs + (await countRows(database, await reportedOfCommit(database, projectId, filters)))
}

function jobsOfCommit(database: Database, projectId: number, filters: StatusSelection) {
  const { sha, on, stage, name, pipeline_id, all } = filters
  return database
    .selectFrom('job')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .select([sql<Member['kind']>`'job'`.as('kind'), 'job.id as id', 'job.pipeline_id as pipeline_id'])
    .where('pipeline.project_id', '=', projectId)
    .where('pipeline.sha', '=', sha)
    .$if(on !== undefined, (query) =>
      query.where('pipeline.ref', '=', on?.ref ?? '').where('pipeline.tag', '=', on?.tag ?? false),
    )
    .$if(pipeline_id !== undefined, (query) => query.where('pipeline.id', '=', pipeline_id ?? 0))
    .$if(stage !== undefined, (query) => query.where('job.stage', '=', stage ?? ''))
    .$if(name !== undefined, (query) => query.where('job.name', '=', name ?? ''))
    .$if(all !== true, (query) => query.where('job.retried', '=', false))
}

/**
 * A commit may have far more pipelines than its project has external statuses. The statuses are therefore
 * scanned one by one, in the order that `cross join` imposes on SQLite.
 */
async function reportedOfCommit(database: Database, projectId: number, filters: StatusSelection) {
  const { sha, on, stage, name, pipeline_id, all } = filters
  const ofProject = database.selectFrom('commit_status').where('commit_status.project_id', '=', projectId)
  const joined = (await hasManyRows(database, ofProject))
    ? ofProject.innerJoin('pipeline', (join) => join.onTrue())
    : ofProject.crossJoin('pipeline')
  return joined
    .innerJoin('stage', 'stage.id', 'commit_status.stage_id')
    .select([
      sql<Member['kind']>`'reported'`.as('kind'),
      'commit_status.id as id',
      'commit_status.pipeline_id as pipeline_id',
    ])
    .whereRef('pipeline.id', '=', 'commit_status.pipeline_id')
    .where('pipeline.project_id', '=', projectId)
    .where('pipeline.sha', '=', sha)
    .$if(on !== undefined, (query) =>
      query.where('pipeline.ref', '=', on?.ref ?? '').where('pipeline.tag', '=', on?.tag ?? false),
    )
    .$if(pipeline_id !== undefined, (query) => query.where('pipeline.id', '=', pipeline_id ?? 0))
    .$if(stage !== undefined, (query) => query.where('stage.name', '=', stage ?? ''))
    .$if(name !== undefined, (query) => query.where('commit_status.name', '=', name ?? ''))
    .$if(all !== true, (query) => query.where('commit_status.retried', '=', false))
}

async function jobsById(database: Database, ids: number[]): Promise<Map<number, JobRow>> {
  return byId(
    ids.length === 0 ? [] : await database.selectFrom('job').selectAll().where('id', 'in', ids).execute(),
  )
}

async function statusesById(database: Database, ids: number[]): Promise<Map<number, CommitStatusRow>> {
  if (ids.length === 0) return new Map()
  return byId(await database.selectFrom('commit_status').selectAll().where('id', 'in', ids).execute())
}

function idsOf(cursors: { kind: Member['kind']; id: number }[], kind: Member['kind']): number[] {
  return cursors.filter((cursor) => cursor.kind === kind).map(({ id }) => id)
}

function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
