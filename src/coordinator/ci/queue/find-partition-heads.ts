import { type CompiledQuery, type RawBuilder, sql } from 'kysely'

import type { Database, DialectName } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import type { RunnerType } from '../../database/tables/runners.js'
import type { Transaction } from '../../database/transaction.js'
import type { PartitionHead } from './partition.js'

/*
 * Finds the heads of all partitions without reading the partitions. An index stores the jobs of a partition
 * next to each other, oldest first. Each step goes from a head to the first entry after its partition.
 *
 * Both databases would otherwise plan a scan of the whole queue; comments at each place explain how this is
 * prevented. The result is one row, because transferring hundreds of rows costs more than finding them.
 */

/** The heads in all projects. */
export async function findAllPartitionHeads(database: Database): Promise<PartitionHead[]> {
  return headsIn(await allHeads(database, {}))
}

/** As `findAllPartitionHeads`, for `executeTogether` on PostgreSQL; `headsIn` reads the result. */
export function allPartitionHeads(tx: Transaction): CompiledQuery<HeadsRow> {
  return allHeadsOnPostgres.with(tx, {})
}

const allHeadsOnPostgres = new PreparedStatement(() => walkAllHeads('postgres'))

const allHeads = preparedRead((_database, _values: NoValues, dialect) => walkAllHeads(dialect))

function walkAllHeads(dialect: DialectName): RawBuilder<HeadsRow> {
  const first = sql`select ${columns} from queue_entry order by project_id, ${keyInProject} limit 1`
  const walk =
    dialect === 'postgres'
      ? sql`(${first}) union all
          select later.* from partition cross join lateral (
            select ${columns} from queue_entry
            where (project_id, ${keyInProject}) > (partition.project_id, ${endOf('partition')})
            order by project_id, ${keyInProject} limit 1
          ) later`
      : sql`select (select job_id from (${first})) union all
          select (
            select job_id from queue_entry
            where (project_id, ${keyInProject}) > (entry.project_id + 0, ${endOf('entry')})
            order by project_id, ${keyInProject} limit 1
          ) from ${entriesOfHeads}`
  return headsOf(dialect, walk)
}

type LimitedRunnerType = Exclude<RunnerType, 'instance_type'>

/** The heads in the projects of a project runner, or in those of the group of a group runner. */
export async function findPartitionHeadsOfRunner(
  database: Database,
  runnerId: number,
  type: LimitedRunnerType,
): Promise<PartitionHead[]> {
  return headsIn(await headsOfRunner[type](database, { runnerId }))
}

const headsOfRunner = {
  project_type: readHeadsOfRunner(
    (runnerId) => sql`select project_id as id from runner_project where runner_id = ${runnerId}`,
  ),
  // Those of the group and its subgroups that allow group runners.
  group_type: readHeadsOfRunner(
    (runnerId) => sql`
      select project.id from runner
        join group_tree on group_tree.ancestor_id = runner.group_id
        join project on project.namespace_id = group_tree.group_id
      where runner.id = ${runnerId} and project.group_runners_enabled`,
  ),
} satisfies Record<LimitedRunnerType, unknown>

/** `projectsOf` is a query that returns IDs as `id`. */
function readHeadsOfRunner(projectsOf: (runnerId: Placeholder<number>) => RawBuilder<unknown>) {
  return preparedRead((_database, { runnerId }: { runnerId: Placeholder<number> }, dialect) =>
    walkHeadsIn(dialect, projectsOf(runnerId)),
  )
}

function walkHeadsIn(dialect: DialectName, projects: RawBuilder<unknown>): RawBuilder<HeadsRow> {
  const walk =
    dialect === 'postgres'
      ? sql`select first.* from (${projects}) served cross join lateral (
            select ${columns} from queue_entry where project_id = served.id order by ${keyInProject} limit 1
          ) first
          union all
          select later.* from partition cross join lateral (
            select ${columns} from queue_entry
            where project_id = partition.project_id and (${keyInProject}) > (${endOf('partition')})
            order by ${keyInProject} limit 1
          ) later`
      : sql`select (
            select job_id from queue_entry where project_id = served.id order by ${keyInProject} limit 1
          ) from (${projects}) served
          union all
          select (
            select job_id from queue_entry
            where project_id = entry.project_id and (${keyInProject}) > (${endOf('entry')})
            order by ${keyInProject} limit 1
          ) from ${entriesOfHeads}`
  return headsOf(dialect, walk)
}

/** The properties, other than the project, by which instance runners can tell jobs apart. */
export type PartitionKind = Pick<PartitionHead, 'tag_set_id' | 'protected' | 'instance_runners_allowed'>

/** The few distinct kinds of jobs in the queue, independent of the number of projects and jobs. */
export async function findKinds(database: Database): Promise<PartitionKind[]> {
  return headsIn(await kinds(database, {}))
}

const kinds = preparedRead((_database, _values: NoValues, dialect) => {
  const first = sql`select ${columns} from queue_entry order by ${kind}, job_id limit 1`
  const walk =
    dialect === 'postgres'
      ? sql`(${first}) union all
          select later.* from partition cross join lateral (
            select ${columns} from queue_entry
            where (${kind}, job_id) > (partition.tag_set_id, partition.protected, partition.instance_runners_allowed, ${lastJobId})
            order by ${kind}, job_id limit 1
          ) later`
      : sql`select (select job_id from (${first})) union all
          select (
            select job_id from queue_entry
            where (${kind}, job_id)
              > (entry.tag_set_id + 0, entry.protected, entry.instance_runners_allowed, ${lastJobId})
            order by ${kind}, job_id limit 1
          ) from ${entriesOfHeads}`
  return headsOf(dialect, walk)
})

/** Of a statement that depends on the dialect alone. */
type NoValues = Record<string, never>

const columns = sql.raw(
  'job_id, project_id, tag_set_id, protected, instance_runners_allowed, priority, queued_at',
)
/** Columns of the index `queue_entry_lane`, without the leading project. */
const keyInProject = sql.raw('tag_set_id, protected, instance_runners_allowed, priority, job_id')
/** Columns of the index `queue_entry_kind`, without the final job. */
const kind = sql.raw('tag_set_id, protected, instance_runners_allowed')

/** Greater than any id: the next entry in the index belongs to another partition. */
const lastJobId = sql.raw('9223372036854775807')

/**
 * The end of a partition in the index, without the project. Two tricks keep SQLite from reading the whole
 * partition in each step. `lastJobId` is needed because SQLite starts its search at "greater or equal". `+ 0` hides a
 * comparison of two integer columns from SQLite, which would use only the first of them.
 */
function endOf(table: 'partition' | 'entry'): RawBuilder<unknown> {
  const of = sql.raw(table)
  return sql`${of}.tag_set_id + 0, ${of}.protected, ${of}.instance_runners_allowed, ${of}.priority + 0, ${lastJobId}`
}

/**
 * `cross join` makes SQLite look up each head; it might otherwise scan all entries to compare them with the
 * heads.
 */
const entriesOfHeads = sql.raw('partition cross join queue_entry entry where entry.job_id = partition.head')

/**
 * The rows that the walk visits. On PostgreSQL they are entries that are carried from step to step, because a
 * lookup by id would compare them with the whole queue. SQLite can carry only one value.
 */
function headsOf(dialect: DialectName, walk: RawBuilder<unknown>): RawBuilder<HeadsRow> {
  return dialect === 'postgres'
    ? sql<HeadsRow>`
        with recursive partition as (${walk}) select json_agg(json_build_array(${columns})) as heads from partition`
    : sql<HeadsRow>`
        with recursive partition(head) as (${walk})
        select json_group_array(json_array(${columns})) as heads from ${entriesOfHeads}`
}

export interface HeadsRow {
  /** A text on SQLite. */
  heads: Values[] | string | null
}

export function headsIn(rows: readonly HeadsRow[]): PartitionHead[] {
  const heads = rows[0]?.heads ?? []
  return (typeof heads === 'string' ? (JSON.parse(heads) as Values[]) : heads).map(toHead)
}

/** In the order of `columns`; SQLite has numbers for booleans. */
type Values = [number, number, number, boolean | number, boolean | number, number, number]

function toHead([
  job_id,
  project_id,
  tag_set_id,
  isProtected,
  allowed,
  priority,
  queued_at,
]: Values): PartitionHead {
  return {
    job_id,
    project_id,
    tag_set_id,
    protected: Boolean(isProtected),
    instance_runners_allowed: Boolean(allowed),
    priority,
    queued_at,
  }
}
