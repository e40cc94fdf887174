import type { Transaction } from '../../database/transaction.js'

/**
 * Queued jobs that no runner can tell apart, oldest first. The number of partitions is small however many
 * jobs wait. An index leads from the head of one partition to the head of the next
 * (`find-partition-heads.ts`). A search among 100,000 jobs therefore reads one row per partition.
 */
export interface QueuePartition {
  project_id: number
  tag_set_id: number
  protected: boolean
  instance_runners_allowed: boolean
  priority: number
}

/** A partition and its oldest job. */
export interface PartitionHead extends QueuePartition {
  job_id: number
  queued_at: number
}

/** The queued jobs of a partition, oldest first. */
export function entriesOf(tx: Transaction, partition: QueuePartition) {
  return tx
    .selectFrom('queue_entry')
    .where('project_id', '=', partition.project_id)
    .where('tag_set_id', '=', partition.tag_set_id)
    .where('protected', '=', partition.protected)
    .where('instance_runners_allowed', '=', partition.instance_runners_allowed)
    .where('priority', '=', partition.priority)
    .orderBy('job_id')
}
