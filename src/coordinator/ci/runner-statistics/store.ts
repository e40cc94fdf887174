import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { RunnerType } from '../../database/tables/runners.js'
import { ALL_RUNNERS } from '../queue/wait-statistics/sample-use.js'
import type { Span } from './period.js'

/** Selects histograms. `runner_id` excludes the others. */
export interface WaitSelection extends Span {
  project_id?: number
  /** With the projects of its subgroups. */
  group_id?: number
  runner_type?: RunnerType | undefined
  tag_set_id?: number | undefined
  runner_id?: number | undefined
}

/** Column of `queue_wait`, or `runner_id` of `runner_wait`. */
export type WaitKey = 'tag_set_id' | 'runner_type' | 'project_id' | 'runner_id'

interface Cell<Key> {
  key: Key
  bucket: number
  jobs: number
}

/** Groups of one response. */
const MAX_GROUPS = 100

/** Numbers of jobs by group and bucket, of the groups with most jobs. */
export async function waitsByGroup(
  database: Database,
  key: WaitKey,
  selection: WaitSelection,
): Promise<Cell<number | string>[]> {
  const { table, condition } = source(selection, key === 'runner_id')
  const column = sql.ref(key)
  const { rows } = await sql<Cell<number | string>>`
    select ${column} as key, bucket, cast(sum(jobs) as bigint) as jobs from ${table}
    where ${condition} and ${column} in (
      select ${column} from ${table} where ${condition}
      group by ${column} order by sum(jobs) desc limit ${MAX_GROUPS})
    group by ${column}, bucket`.execute(database)
  return rows
}

/** Numbers of jobs by interval, in milliseconds since 1970, and bucket. `step` is in seconds. */
export async function waitsByTime(
  database: Database,
  step: number,
  selection: WaitSelection,
): Promise<Cell<number>[]> {
  const { table, condition } = source(selection, selection.runner_id !== undefined)
  const at = sql`start_at - start_at % ${sql.lit(step * 1000)}`
  const { rows } = await sql<Cell<number>>`
    select ${at} as key, bucket, cast(sum(jobs) as bigint) as jobs from ${table} where ${condition}
    group by ${at}, bucket order by 1`.execute(database)
  return rows
}

/** Periods of every length count: of one time there is one. */
function source(
  { from, to, project_id, group_id, runner_type, tag_set_id, runner_id }: WaitSelection,
  isByRunner: boolean,
): { table: RawBuilder<unknown>; condition: RawBuilder<SqlBool> } {
  const conditions = [sql<SqlBool>`start_at >= ${from}`, sql<SqlBool>`start_at < ${to}`]
  if (project_id !== undefined) conditions.push(sql`project_id = ${project_id}`)
  if (group_id !== undefined) conditions.push(sql`project_id in (${projectsBelow(group_id)})`)
  if (runner_type !== undefined) conditions.push(sql`runner_type = ${runner_type}`)
  if (tag_set_id !== undefined) conditions.push(sql`tag_set_id = ${tag_set_id}`)
  if (runner_id !== undefined) conditions.push(sql`runner_id = ${runner_id}`)
  const isAll = conditions.length === 2
  // The primary key begins with the resolution.
  if (isAll) conditions.unshift(sql`resolution in (300, 3600, 86400)`)
  return {
    table: sql.table(isByRunner ? 'runner_wait' : 'queue_wait'),
    condition: sql.join(conditions, sql` and `),
  }
}

function projectsBelow(groupId: number): RawBuilder<unknown> {
  return sql`select project.id from project
    join group_tree on group_tree.group_id = project.namespace_id
    where group_tree.ancestor_id = ${groupId}`
}

/** Names of the groups, by key; what was deleted has none. */
export async function namesOf(
  database: Database,
  key: Exclude<WaitKey, 'runner_type'>,
  ids: readonly number[],
): Promise<Map<number, { name: string; tags: string[] | null }>> {
  if (ids.length === 0) return new Map()
  switch (key) {
    case 'tag_set_id': {
      const rows = await database
        .selectFrom('tag_set')
        .select(['id', 'tags'])
        .where('id', 'in', ids)
        .execute()
      return new Map(rows.map(({ id, tags }) => [id, { name: tags.join(', '), tags }]))
    }
    case 'project_id': {
      const rows = await database
        .selectFrom('project')
        .select(['id', 'full_path'])
        .where('id', 'in', ids)
        .execute()
      return new Map(rows.map(({ id, full_path }) => [id, { name: full_path, tags: null }]))
    }
    case 'runner_id': {
      const rows = await findRunners(database, ids)
      return new Map([...rows].map(([id, { description }]) => [id, { name: description ?? '', tags: null }]))
    }
  }
}

export async function findRunners(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, { description: string | null; runner_type: RunnerType }>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('runner')
    .select(['id', 'description', 'runner_type'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, ...runner }) => [id, runner]))
}

/** Queued jobs that the queue cannot tell apart. */
export interface QueuedPart {
  /** One of them. */
  job_id: number
  project_id: number
  tags: string[]
  jobs: number
  oldest_at: number
}

/** The jobs that count: those of a project, of the projects of a group and its subgroups, or all. */
export interface QueueScope {
  project_id?: number
  group_id?: number
}

export async function queuedParts(database: Database, scope: QueueScope = {}): Promise<QueuedPart[]> {
  return database
    .selectFrom(
      database
        .selectFrom('queue_entry')
        .where(isIn(scope, 'queue_entry.project_id'))
        .select(({ fn }) => [
          'project_id',
          'tag_set_id',
          fn.min('job_id').as('job_id'),
          fn.min('queued_at').as('oldest_at'),
          fn.countAll<number>().as('jobs'),
        ])
        .groupBy(['project_id', 'tag_set_id', 'protected', 'instance_runners_allowed'])
        .as('part'),
    )
    .innerJoin('tag_set', 'tag_set.id', 'part.tag_set_id')
    .select(['part.job_id', 'part.project_id', 'tag_set.tags', 'part.jobs', 'part.oldest_at'])
    .execute()
}

/** Jobs that wait for their resource group. */
export async function waitingForResources(database: Database, scope: QueueScope = {}): Promise<QueuedPart[]> {
  // Reads the jobs of each group, because an index contains them.
  const rows = await database
    .selectFrom('resource_group')
    .innerJoin('job', 'job.resource_group_id', 'resource_group.id')
    .select(({ fn }) => [
      'job.project_id',
      fn.min('job.id').as('job_id'),
      fn.min('job.updated_at').as('oldest_at'),
      fn.countAll<number>().as('jobs'),
    ])
    .where('job.status', '=', 'waiting_for_resource')
    .where(isIn(scope, 'resource_group.project_id'))
    .groupBy('job.project_id')
    .execute()
  return rows.map((row) => ({ ...row, tags: [] }))
}

function isIn({ project_id, group_id }: QueueScope, column: string): RawBuilder<SqlBool> {
  if (project_id !== undefined) return sql`${sql.ref(column)} = ${project_id}`
  if (group_id !== undefined) return sql`${sql.ref(column)} in (${projectsBelow(group_id)})`
  return sql`1 = 1`
}

export interface NamedJob {
  id: number
  name: string
  project_id: number
  full_path: string
}

export async function findNamedJobs(
  database: Database,
  ids: readonly number[],
): Promise<Map<number, NamedJob>> {
  if (ids.length === 0) return new Map()
  const rows = await database
    .selectFrom('job')
    .innerJoin('project', 'project.id', 'job.project_id')
    .select(['job.id', 'job.name', 'job.project_id', 'project.full_path'])
    .where('job.id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Runners in contact that have tags, newest contact first. */
export function taggedRunners(
  database: Database,
  onlineSince: number,
  limit: number,
): Promise<{ id: number; description: string | null; tag_list: string[] }[]> {
  return database
    .selectFrom('runner')
    .select(['id', 'description', 'tag_list'])
    .where('active', '=', true)
    .where('contacted_at', '>', onlineSince)
    .orderBy('contacted_at', 'desc')
    .limit(limit)
    .execute()
}

export interface FailureRow {
  runner_id: number
  jobs: number
  /** The last one. */
  job_id: number
  finished_at: number
}

/** Jobs that failed because of their runner, by runner, those with most jobs first. */
export async function runnerFailures(
  database: Database,
  { from, to }: Span,
  limit: number,
): Promise<FailureRow[]> {
  const { rows } = await sql<FailureRow>`
    select runner_id, count(*) as jobs, max(id) as job_id, max(finished_at) as finished_at
    from (
      select runner_id, id, finished_at from job
      where failure_reason = 'runner_system_failure' and finished_at >= ${from} and finished_at < ${to}
      union all
      select runner_id, id, finished_at from job
      where failure_reason = 'no_updates_running' and finished_at >= ${from} and finished_at < ${to}
    ) as failed
    where runner_id is not null
    group by runner_id order by 2 desc, 1 limit ${limit}`.execute(database)
  return rows
}

export interface UseRow {
  at: number
  runner_id: number
  samples: number
  online: number
  busy: number
  jobs: number
}

/** Sums of samples by interval, of all runners together. `step` is in seconds. */
export function totalUse(database: Database, { from, to }: Span, step: number): Promise<UseRow[]> {
  return useRows(database, sql`runner_id = ${ALL_RUNNERS} and start_at >= ${from} and start_at < ${to}`, step)
}

/** Like `totalUse`, for each of the runners with most samples, or for one runner. */
export function useByRunner(
  database: Database,
  { from, to }: Span,
  step: number,
  { limit, runnerId }: { limit: number; runnerId?: number | undefined },
): Promise<UseRow[]> {
  const inSpan = sql<SqlBool>`start_at >= ${from} and start_at < ${to}`
  const busiest = sql`select runner_id from runner_use where runner_id <> ${ALL_RUNNERS} and ${inSpan}
    group by runner_id order by sum(busy) desc, runner_id limit ${limit}`
  const which =
    runnerId === undefined ? sql<SqlBool>`runner_id in (${busiest})` : sql<SqlBool>`runner_id = ${runnerId}`
  return useRows(database, sql`${inSpan} and ${which}`, step)
}

async function useRows(database: Database, condition: RawBuilder<SqlBool>, step: number): Promise<UseRow[]> {
  const at = sql`start_at - start_at % ${sql.lit(step * 1000)}`
  const { rows } = await sql<UseRow>`
    select ${at} as at, runner_id, ${SUMS}
    from runner_use where ${condition} group by ${at}, runner_id order by 1, 2`.execute(database)
  return rows
}

/** The sum of a bigint is no bigint in PostgreSQL. */
const SUMS = sql.join(
  ['samples', 'online', 'busy', 'jobs'].map(
    (name) => sql`cast(sum(${sql.ref(name)}) as bigint) as ${sql.ref(name)}`,
  ),
)
