import type { Database } from '../../database/connect.js'
import type { Placeholder } from '../../database/prepared-statement.js'

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

/** Without the other columns of a head. */
export function keyOf(partition: QueuePartition): QueuePartition {
  const { project_id, tag_set_id, instance_runners_allowed, priority } = partition
  return { project_id, tag_set_id, protected: partition.protected, instance_runners_allowed, priority }
}

/** Places for the values of a partition in a prepared statement. */
export type PartitionPlaceholders = { [Name in keyof QueuePartition]: Placeholder<QueuePartition[Name]> }

/** The queued jobs of a partition, oldest first. */
export function entriesOf(database: Database, partition: QueuePartition | PartitionPlaceholders) {
  return database
    .selectFrom('queue_entry')
    .where('project_id', '=', partition.project_id)
    .where('tag_set_id', '=', partition.tag_set_id)
    .where('protected', '=', partition.protected)
    .where('instance_runners_allowed', '=', partition.instance_runners_allowed)
    .where('priority', '=', partition.priority)
    .orderBy('job_id')
}
