import type { DialectName } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import type { QueuePartition } from './partition.js'

export interface ClaimSize {
  /** Maximum number of jobs. */
  limit: number
  /** IDs of jobs that are left to other runners. */
  except: readonly number[]
}

/**
 * Takes the oldest jobs of a partition that no other claimer has locked out of the queue. Returns their IDs.
 *
 * Locks are taken in the order queue entry, pipeline, jobs. A transaction that holds a pipeline never waits
 * for a queue entry (`deleteUnclaimedEntries`). A claimer may therefore find, once it has locked the pipeline, that
 * its job is no longer pending.
 */
export async function claimOldest(
  tx: Transaction,
  dialect: DialectName,
  partition: QueuePartition,
  { limit, except }: ClaimSize,
): Promise<number[]> {
  const entries = await tx
    .deleteFrom('queue_entry')
    .where('job_id', 'in', (query) =>
      query
        .selectFrom('queue_entry')
        .select('job_id')
        .where('project_id', '=', partition.project_id)
        .where('tag_set_id', '=', partition.tag_set_id)
        .where('protected', '=', partition.protected)
        .where('instance_runners_allowed', '=', partition.instance_runners_allowed)
        .where('priority', '=', partition.priority)
        .$if(except.length > 0, (entries) => entries.where('job_id', 'not in', except))
        .orderBy('job_id')
        .limit(limit)
        .$if(dialect === 'postgres', (entries) => entries.forUpdate().skipLocked()),
    )
    .returning('job_id')
    .execute()
  return entries.map(({ job_id }) => job_id).sort((one, other) => one - other)
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
