import { chunks } from '../../../lib/chunks.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { storeTagSets, tagSetKey } from './tag-sets.js'
import type { QueuedJob } from './waiting-request.js'

/** A pending job as the queue takes it in. */
export interface PendingJob {
  id: number
  project_id: number
  protected: boolean
  tag_list: readonly string[]
  priority: number
}

/** What the project of a pending job says about runners. */
export interface QueuedProject {
  full_path: string
  shared_runners_enabled: boolean
  group_runners_enabled: boolean
}

/** Keeps a statement well below the number of parameters that either database takes. */
const ROWS_PER_INSERT = 1000

export async function addEntries(
  tx: Transaction,
  jobs: PendingJob[],
  instanceRunnersAllowed: boolean,
): Promise<void> {
  const tagSets = await storeTagSets(
    tx,
    jobs.map((job) => job.tag_list),
  )
  const queuedAt = Date.now()
  const entries = jobs.map((job) => ({
    job_id: job.id,
    project_id: job.project_id,
    tag_set_id: tagSets.get(tagSetKey(job.tag_list)) as number,
    protected: job.protected,
    instance_runners_allowed: instanceRunnersAllowed,
    priority: job.priority,
    queued_at: queuedAt,
  }))
  for (const rows of chunks(entries, ROWS_PER_INSERT)) {
    await tx.insertInto('queue_entry').values(rows).execute()
  }
}

/** For projects whose setting has changed: their waiting jobs follow; instance runners see it at their next request. */
export async function allowInstanceRunners(
  tx: Transaction,
  projectIds: number[],
  allowed: boolean,
): Promise<void> {
  if (projectIds.length === 0) return
  await tx
    .updateTable('queue_entry')
    .set({ instance_runners_allowed: allowed })
    .where('project_id', 'in', projectIds)
    .where('instance_runners_allowed', '!=', allowed)
    .execute()
}

/**
 * For what is about to be deleted with its jobs. First of all, and on its own: whoever hands out a job holds its entry
 * before its pipeline, and a deletion that met them in the other order would be a deadlock on PostgreSQL.
 */
export async function deleteQueueEntries(
  tx: Transaction,
  column: 'job.project_id' | 'job.pipeline_id',
  id: number,
): Promise<void> {
  await tx
    .deleteFrom('queue_entry')
    .where('job_id', 'in', (query) => query.selectFrom('job').select('job.id').where(column, '=', id))
    .execute()
}

/** Those of the jobs that are in the queue. */
export async function findQueuedJobs(database: Database, jobIds: number[]): Promise<QueuedJob[]> {
  const rows = await database
    .selectFrom('queue_entry')
    .innerJoin('tag_set', 'tag_set.id', 'queue_entry.tag_set_id')
    .innerJoin('project', 'project.id', 'queue_entry.project_id')
    .select(['job_id', 'project_id', 'protected', 'instance_runners_allowed', 'priority', 'tags'])
    .select(['project.full_path', 'project.group_runners_enabled'])
    .where('job_id', 'in', jobIds)
    .execute()
  return rows.map((row) => ({
    jobId: row.job_id,
    priority: row.priority,
    projectId: row.project_id,
    projectPath: row.full_path,
    tags: row.tags,
    protected: row.protected,
    instanceRunnersAllowed: row.instance_runners_allowed,
    groupRunnersAllowed: row.group_runners_enabled,
  }))
}
