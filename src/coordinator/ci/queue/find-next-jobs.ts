import { sql } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { DialectName } from '../../database/connect.js'
import { isInJson, jsonRows } from '../../database/json-rows.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import type { Transaction } from '../../database/transaction.js'
import type { NextJob, PartitionLimit, PartitionQueue } from './fair-order.js'
import { entriesOf, keyOf, type PartitionPlaceholders } from './partition.js'

/** The oldest jobs of each partition, up to its limit, without those in `except`. */
export async function findNextJobs(
  tx: Transaction,
  dialect: DialectName,
  limits: readonly PartitionLimit[],
  except: readonly number[],
): Promise<PartitionQueue[]> {
  const found = await read[dialect](tx, limits, except)
  return limits.map(({ partition }, index) => ({ partition, jobs: found.get(index) ?? [] }))
}

type Read = (
  tx: Transaction,
  limits: readonly PartitionLimit[],
  except: readonly number[],
) => Promise<Map<number, NextJob[]>>

const read: Record<DialectName, Read> = { postgres: readTogether, sqlite: readEach }

/** One statement, because its callers hold the fairness lock. */
async function readTogether(tx: Transaction, limits: readonly PartitionLimit[], except: readonly number[]) {
  const columns = {
    index: 'bigint',
    jobs: 'bigint',
    project_id: 'bigint',
    tag_set_id: 'bigint',
    protected: 'boolean',
    instance_runners_allowed: 'boolean',
    priority: 'bigint',
  } as const
  const rows = limits.map(({ partition, limit }, index) => ({ index, jobs: limit, ...keyOf(partition) }))
  const { rows: jobs } = await sql<NextJob & { index: number }>`
    select given.index, entry.job_id, entry.queued_at
    from ${jsonRows('postgres', columns, rows)} given cross join lateral (
      select job_id, queued_at from queue_entry
      where project_id = given.project_id and tag_set_id = given.tag_set_id and protected = given.protected
        and instance_runners_allowed = given.instance_runners_allowed and priority = given.priority
        and job_id <> all(${except}::bigint[])
      order by job_id limit given.jobs
    ) entry
    order by given.index, entry.job_id`.execute(tx)
  return groupBy(jobs, ({ index }) => index)
}

/** SQLite has no lateral joins, and statements cost it no round trips. */
async function readEach(tx: Transaction, limits: readonly PartitionLimit[], except: readonly number[]) {
  const found = new Map<number, NextJob[]>()
  for (const [index, { partition, limit }] of limits.entries()) {
    found.set(index, await oldestEntries(tx, { ...keyOf(partition), limit, except: JSON.stringify(except) }))
  }
  return found
}

type OldestEntries = PartitionPlaceholders & { except: Placeholder<string>; limit: Placeholder<number> }

const oldestEntries = preparedRead((database, { except, limit, ...partition }: OldestEntries, dialect) =>
  entriesOf(database, partition)
    .select(['job_id', 'queued_at'])
    .where((where) => where.not(isInJson(dialect, sql.ref('job_id'), except)))
    // SQLite would plan the statement again for each limit that is a parameter.
    .limit(sql<number>`${limit} + 0`),
)
