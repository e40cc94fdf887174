import type { DialectName } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { QueuePartition } from './partition.js'

/**
 * The oldest job of a partition that nobody else is claiming, held until `tx` ends; undefined when there is none.
 *
 * Locks are taken in the order queue entry, pipeline, jobs, and nobody who holds a pipeline waits for a queue entry
 * (`removeEntries`). A claimer may therefore find, once it has the pipeline, that its job is no longer pending.
 */
export async function claimOldest(
  tx: Transaction,
  dialect: DialectName,
  partition: QueuePartition,
): Promise<number | undefined> {
  const entry = await tx
    .selectFrom('queue_entry')
    .select('job_id')
    .where('project_id', '=', partition.project_id)
    .where('tag_set_id', '=', partition.tag_set_id)
    .where('protected', '=', partition.protected)
    .where('instance_runners_allowed', '=', partition.instance_runners_allowed)
    .where('priority', '=', partition.priority)
    .orderBy('job_id')
    .limit(1)
    .$if(dialect === 'postgres', (query) => query.forUpdate().skipLocked())
    .executeTakeFirst()
  return entry?.job_id
}

/** For the claimer, who holds the entry. */
export async function removeClaimed(tx: Transaction, jobId: number): Promise<void> {
  await tx.deleteFrom('queue_entry').where('job_id', '=', jobId).execute()
}

/**
 * Takes jobs that are no longer pending out of the queue. Entries that are being claimed are left: their claimer is
 * about to wait for the pipeline that the caller holds, and will then find the job not pending and remove the entry.
 */
export async function removeEntries(tx: Transaction, dialect: DialectName, jobIds: number[]): Promise<void> {
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
