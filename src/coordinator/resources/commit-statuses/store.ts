import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { CommitStatusRow } from '../../engine/commit-statuses/store.js'
import type { JobRow } from '../../engine/rows.js'
import type { Paging } from '../../http/operation.js'
import type { StatusFilters } from './schema.js'

/** Jobs, and what other systems said. */
export type Member = { kind: 'job'; row: JobRow } | { kind: 'reported'; row: CommitStatusRow }

/** One page of what there is about a commit, in the order asked for. */
export async function listStatuses(
  database: Database,
  projectId: number,
  filters: StatusFilters,
  paging: Paging,
): Promise<Member[]> {
  const order = filters.sort ?? 'asc'
  const places = await allOf(database, projectId, filters)
    .selectAll()
    .orderBy(filters.order_by ?? 'id', order)
    .orderBy('id', order)
    .orderBy('kind', order)
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  const jobs = await jobsById(database, idsOf(places, 'job'))
  const reported = await statusesById(database, idsOf(places, 'reported'))
  return places.flatMap(({ kind, id }): Member[] => {
    const job = kind === 'job' ? jobs.get(id) : undefined
    const status = kind === 'reported' ? reported.get(id) : undefined
    if (job) return [{ kind: 'job', row: job }]
    return status ? [{ kind: 'reported', row: status }] : []
  })
}

export async function countStatuses(
  database: Database,
  projectId: number,
  filters: StatusFilters,
): Promise<number> {
  const { count } = await allOf(database, projectId, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function allOf(database: Database, projectId: number, filters: StatusFilters) {
  return database.selectFrom(
    jobsOfCommit(database, projectId, filters)
      .unionAll(reportedOfCommit(database, projectId, filters))
      .as('status'),
  )
}

function jobsOfCommit(database: Database, projectId: number, filters: StatusFilters) {
  const { sha, ref, stage, name, pipeline_id, all } = filters
  return database
    .selectFrom('job')
    .innerJoin('pipeline', 'pipeline.id', 'job.pipeline_id')
    .select([sql<Member['kind']>`'job'`.as('kind'), 'job.id as id', 'job.pipeline_id as pipeline_id'])
    .where('pipeline.project_id', '=', projectId)
    .where('pipeline.sha', '=', sha)
    .$if(ref !== undefined, (query) => query.where('pipeline.ref', '=', ref ?? ''))
    .$if(pipeline_id !== undefined, (query) => query.where('pipeline.id', '=', pipeline_id ?? 0))
    .$if(stage !== undefined, (query) => query.where('job.stage', '=', stage ?? ''))
    .$if(name !== undefined, (query) => query.where('job.name', '=', name ?? ''))
    .$if(all !== true, (query) => query.where('job.retried', '=', false))
}

function reportedOfCommit(database: Database, projectId: number, filters: StatusFilters) {
  const { sha, ref, stage, name, pipeline_id, all } = filters
  return database
    .selectFrom('commit_status')
    .innerJoin('pipeline', 'pipeline.id', 'commit_status.pipeline_id')
    .innerJoin('stage', 'stage.id', 'commit_status.stage_id')
    .select([
      sql<Member['kind']>`'reported'`.as('kind'),
      'commit_status.id as id',
      'commit_status.pipeline_id as pipeline_id',
    ])
    .where('pipeline.project_id', '=', projectId)
    .where('pipeline.sha', '=', sha)
    .$if(ref !== undefined, (query) => query.where('pipeline.ref', '=', ref ?? ''))
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

function idsOf(places: { kind: Member['kind']; id: number }[], kind: Member['kind']): number[] {
  return places.filter((place) => place.kind === kind).map(({ id }) => id)
}

function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
