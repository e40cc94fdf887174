import { sql } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { DialectName } from '../../database/connect.js'
import { jsonRows } from '../../database/json-rows.js'
import type { Transaction } from '../../database/transaction.js'
import type { NextJob, PartitionLimit, PartitionQueue } from './fair-order.js'
import { entriesOf } from './partition.js'

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
  const rows = limits.map(({ partition, limit }, index) => {
    const { project_id, tag_set_id, instance_runners_allowed, priority } = partition
    const key = { project_id, tag_set_id, protected: partition.protected, instance_runners_allowed, priority }
    return { index, jobs: limit, ...key }
  })
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
    const jobs = await entriesOf(tx, partition)
      .select(['job_id', 'queued_at'])
      .$if(except.length > 0, (entries) => entries.where('job_id', 'not in', except))
      .limit(limit)
      .execute()
    found.set(index, jobs)
  }
  return found
}
