import type { Database } from '../../../database/connect.js'
import type { PendingReason } from '../../../database/tables/job-columns.js'
import type { QueuePartition } from '../partition.js'
import { TagSets } from '../tag-sets.js'
import { findPendingReason } from './pending-reason.js'
import { findRunnerKinds } from './runner-kinds.js'

/** A job that has been in the queue for too long. */
export interface StuckJob {
  jobId: number
  pipelineId: number
  /** The reason why no runner could take it; absent if one could have. */
  pendingReason?: PendingReason
}

/** Queued jobs that were not changed since `since`, in milliseconds since 1970. */
export async function findUntouchedJobs(database: Database, since: number): Promise<StuckJob[]> {
  const rows = await oldEntries(database, since).where('job.updated_at', '<', since).execute()
  return rows.map(({ job_id, pipeline_id }) => ({ jobId: job_id, pipelineId: pipeline_id }))
}

/** Jobs that were queued before `since` and that no runner online at `now` may take (CI language, 12.10). */
export async function findUnmatchedJobs(database: Database, since: number, now: number): Promise<StuckJob[]> {
  const stuck: StuckJob[] = []
  for (const { partition, pendingReason } of await findUnmatchedPartitions(database, since, now)) {
    const rows = await oldEntries(database, since)
      .where('queue_entry.project_id', '=', partition.project_id)
      .where('queue_entry.tag_set_id', '=', partition.tag_set_id)
      .where('queue_entry.protected', '=', partition.protected)
      .where('queue_entry.instance_runners_allowed', '=', partition.instance_runners_allowed)
      .where('queue_entry.priority', '=', partition.priority)
      .execute()
    stuck.push(
      ...rows.map(({ job_id, pipeline_id }) => ({ jobId: job_id, pipelineId: pipeline_id, pendingReason })),
    )
  }
  return stuck
}

function oldEntries(database: Database, since: number) {
  return database
    .selectFrom('queue_entry')
    .innerJoin('job', 'job.id', 'queue_entry.job_id')
    .select(['queue_entry.job_id', 'job.pipeline_id'])
    .where('queue_entry.queued_at', '<', since)
    .orderBy('queue_entry.job_id')
}

/** Tests partitions instead of jobs, because no runner can tell the jobs of one partition apart. */
async function findUnmatchedPartitions(
  database: Database,
  since: number,
  now: number,
): Promise<{ partition: QueuePartition; pendingReason: PendingReason }[]> {
  const partitions = await findOldPartitions(database, since)
  if (partitions.length === 0) return []
  const projectIds = [...new Set(partitions.map((partition) => partition.project_id))]
  const kinds = await findRunnerKinds(database, projectIds, now)
  const tags = await new TagSets(database).read(partitions.map((partition) => partition.tag_set_id))
  return partitions.flatMap((partition) => {
    const job = {
      projectId: partition.project_id,
      projectPath: partition.full_path,
      tags: tags.get(partition.tag_set_id) ?? [],
      protected: partition.protected,
      instanceRunnersAllowed: partition.instance_runners_allowed,
      groupRunnersAllowed: partition.group_runners_enabled,
    }
    const pendingReason = findPendingReason(job, kinds)
    return pendingReason ? [{ partition, pendingReason }] : []
  })
}

function findOldPartitions(database: Database, since: number) {
  return database
    .selectFrom('queue_entry')
    .innerJoin('project', 'project.id', 'queue_entry.project_id')
    .select(['project_id', 'tag_set_id', 'protected', 'instance_runners_allowed', 'priority'])
    .select(['project.full_path', 'project.group_runners_enabled'])
    .distinct()
    .where('queued_at', '<', since)
    .execute()
}
