/**
 * Jobs in the queue that no runner can tell apart, oldest first. There are few partitions however many jobs wait, and an
 * index leads from the head of one to the head of the next (`find-partition-heads.ts`): a search among
 * 100,000 jobs reads one row for each partition.
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
