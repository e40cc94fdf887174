import { type Insertable, sql } from 'kysely'

import type { DialectName } from '../../database/connect.js'
import { executeTogether } from '../../database/execute-together.js'
import { isInJson, jsonRows } from '../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { LeaseTable } from '../../database/tables/queue.js'
import type { Transaction } from '../../database/transaction.js'
import { LEASE_COLUMN_NAMES, LEASE_COLUMNS, type LeaseHolder, startLeases, toLease } from './lease.js'
import { entriesOf, keyOf, type PartitionPlaceholders, type QueuePartition } from './partition.js'

/**
 * Takes the oldest job of each partition that no other claimer has locked out of the queue, one partition after the other.
 * Returns their IDs; undefined for a partition without one.
 *
 * Locks are taken in the order queue entry, pipeline, jobs. A transaction that holds a pipeline never waits
 * for a queue entry (`deleteUnclaimedEntries`). A claimer may therefore find, once it has locked the pipeline, that
 * its job is no longer pending.
 */
export async function claimOldest(
  tx: Transaction,
  partitions: readonly QueuePartition[],
): Promise<(number | undefined)[]> {
  const results = await executeTogether(
    tx,
    partitions.map((partition) => takeOldest.with(tx, keyOf(partition))),
  )
  return results.map(({ rows }) => rows[0]?.job_id)
}

const takeOldest = new PreparedStatement((database, partition: PartitionPlaceholders, dialect) => {
  const oldest = entriesOf(database, partition).select('job_id').limit(1)
  return database
    .deleteFrom('queue_entry')
    .where('job_id', 'in', dialect === 'postgres' ? oldest.forUpdate().skipLocked() : oldest)
    .returning('job_id')
})

/**
 * Takes these jobs out of the queue and starts their leases, which end at `expiresAt`. Returns the IDs of the jobs that were
 * still in the queue and that no other claimer has locked.
 */
export async function claimUnderLeases(
  tx: Transaction,
  dialect: DialectName,
  holders: readonly LeaseHolder[],
  expiresAt: number,
): Promise<Set<number>> {
  if (holders.length === 0) return new Set()
  return dialect === 'postgres'
    ? claimByOneStatement(tx, holders, expiresAt)
    : claimByTwo(tx, holders, expiresAt)
}

/** For callers that hold the fairness lock. */
async function claimByOneStatement(
  tx: Transaction,
  holders: readonly LeaseHolder[],
  expiresAt: number,
): Promise<Set<number>> {
  const leases = holders.map((holder) => toLease(holder, expiresAt))
  const { rows } = await takeUnderLeases(tx, {
    ids: JSON.stringify(idsOf(holders)),
    leases: JSON.stringify(leases),
  })
  return new Set(rows.map(({ job_id }) => job_id))
}

const takeUnderLeases = preparedWrite(
  (database, { ids, leases }: { ids: Placeholder<string>; leases: Placeholder<string> }, dialect) => {
    return database
      .with('taken', (query) =>
        query
          .deleteFrom('queue_entry')
          .where('job_id', 'in', (entries) =>
            entries
              .selectFrom('queue_entry')
              .select('job_id')
              .where(isInJson(dialect, sql.ref('job_id'), ids))
              .forUpdate()
              .skipLocked(),
          )
          .returning('job_id'),
      )
      .insertInto('lease')
      .columns(LEASE_COLUMN_NAMES)
      .expression((query) =>
        query
          .selectFrom(jsonRows<Insertable<LeaseTable>>(dialect, LEASE_COLUMNS, leases).as('given'))
          .innerJoin('taken', 'taken.job_id', 'given.job_id')
          .select(LEASE_COLUMN_NAMES.map((name) => `given.${name}` as const)),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('job_id')
  },
)

async function claimByTwo(
  tx: Transaction,
  holders: readonly LeaseHolder[],
  expiresAt: number,
): Promise<Set<number>> {
  const { rows } = await takeEntries(tx, { jobIds: JSON.stringify(idsOf(holders)) })
  const claimed = new Set(rows.map(({ job_id }) => job_id))
  const claimers = holders.filter(({ jobId }) => claimed.has(jobId))
  await startLeases(tx, claimers, expiresAt)
  return claimed
}

const takeEntries = preparedWrite((database, { jobIds }: { jobIds: Placeholder<string> }, dialect) =>
  database
    .deleteFrom('queue_entry')
    .where(isInJson(dialect, sql.ref('job_id'), jobIds))
    .returning('job_id'),
)

function idsOf(holders: readonly LeaseHolder[]): number[] {
  return holders.map(({ jobId }) => jobId)
}

/**
 * Removes jobs that are no longer pending from the queue. Skips entries that are being claimed: their claimer
 * will wait for the pipeline that the caller has locked, find the job not pending, and remove the entry.
 */
export async function deleteUnclaimedEntries(
  tx: Transaction,
  dialect: DialectName,
  jobIds: number[],
): Promise<void> {
  if (dialect === 'sqlite') {
    await tx.deleteFrom('queue_entry').where('job_id', 'in', jobIds).execute()
    return
  }
  await tx
    .deleteFrom('queue_entry')
    .where('job_id', 'in', (query) =>
      query.selectFrom('queue_entry').select('job_id').where('job_id', 'in', jobIds).forUpdate().skipLocked(),
    )
    .execute()
}
