import { type RawBuilder, sql } from 'kysely'

import type { Database, DialectName } from '../../database/connect.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { PartitionHead } from './partition.js'

/*
 * How the heads of all partitions are found without reading the partitions: an index has the jobs of a partition beside one another,
 * oldest first, and one step goes from a head to the first entry behind all of its partition. Left to themselves both
 * databases would read the whole queue: what keeps them from it is said where it is done. What is found comes as one row,
 * for taking hundreds of rows over costs more than finding them.
 */

/** Of all projects. */
export async function findAllPartitionHeads(
  database: Database,
  dialect: DialectName,
): Promise<PartitionHead[]> {
  return headsIn(await allHeads[dialect](database))
}

const allHeads = onEachDialect((dialect) => {
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
})

/** Of the projects whose ids the query gives as `id`. */
export async function findPartitionHeadsOfProjects(
  database: Database,
  dialect: DialectName,
  projects: RawBuilder<unknown>,
): Promise<PartitionHead[]> {
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
  return headsIn((await headsOf(dialect, walk).execute(database)).rows)
}

/** What no runner of the instance can tell apart but by the project. */
export type PartitionKind = Pick<PartitionHead, 'tag_set_id' | 'protected' | 'instance_runners_allowed'>

/** The few kinds of jobs in the queue, however many projects and jobs there are. */
export async function findKinds(database: Database, dialect: DialectName): Promise<PartitionKind[]> {
  return headsIn(await kinds[dialect](database))
}

const kinds = onEachDialect((dialect) => {
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

/** What every request for a job asks, and depends on nothing but the dialect. The queue fills within seconds. */
function onEachDialect(
  write: (dialect: DialectName) => RawBuilder<HeadsRow>,
): Record<DialectName, ReadHeads> {
  const readOn = (dialect: DialectName): ReadHeads => {
    const read = preparedRead(() => write(dialect), { planning: 'each time' })
    return (database) => read(database, {})
  }
  return { sqlite: readOn('sqlite'), postgres: readOn('postgres') }
}

type ReadHeads = (database: Database) => Promise<HeadsRow[]>

const columns = sql.raw(
  'job_id, project_id, tag_set_id, protected, instance_runners_allowed, priority, queued_at',
)
/** Of the index `queue_entry_lane`, without the project in front. */
const keyInProject = sql.raw('tag_set_id, protected, instance_runners_allowed, priority, job_id')
/** Of the index `queue_entry_kind`, without the job at the end. */
const kind = sql.raw('tag_set_id, protected, instance_runners_allowed')

/** Greater than any: what comes after it in the index is in another partition. */
const lastJobId = sql.raw('9223372036854775807')

/**
 * The end of a partition in the index, without the project. SQLite would read a whole partition in each step but for two things:
 * `lastJobId`, because it searches from "greater or equal" on, and `+ 0`, without which it sees two integer columns
 * compared and follows the first one only.
 */
function endOf(table: 'partition' | 'entry'): RawBuilder<unknown> {
  const of = sql.raw(table)
  return sql`${of}.tag_set_id + 0, ${of}.protected, ${of}.instance_runners_allowed, ${of}.priority + 0, ${lastJobId}`
}

/** With `cross join` SQLite looks each head up; it might read all entries to compare them with the heads. */
const entriesOfHeads = sql.raw('partition cross join queue_entry entry where entry.job_id = partition.head')

/**
 * What the walk comes by. On PostgreSQL its rows are entries, taken along from step to step: looked up by their ids, they
 * would be compared with all of the queue. SQLite can take one value along only.
 */
function headsOf(dialect: DialectName, walk: RawBuilder<unknown>): RawBuilder<HeadsRow> {
  return dialect === 'postgres'
    ? sql<HeadsRow>`
        with recursive partition as (${walk}) select json_agg(json_build_array(${columns})) as heads from partition`
    : sql<HeadsRow>`
        with recursive partition(head) as (${walk})
        select json_group_array(json_array(${columns})) as heads from ${entriesOfHeads}`
}

interface HeadsRow {
  /** A text on SQLite. */
  heads: Values[] | string | null
}

function headsIn(rows: HeadsRow[]): PartitionHead[] {
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
