import { type Insertable, sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { isInJson, jsonRows } from '../../database/json-rows.js'
import { preparedRead } from '../../database/prepared-read.js'
import type { Placeholder } from '../../database/prepared-statement.js'
import { preparedWrite } from '../../database/prepared-write.js'
import type { QueueEntryTable } from '../../database/tables/queue.js'
import type { Transaction } from '../../database/transaction.js'
import { storeTagSets, tagSetKey } from './tag-sets.js'
import type { QueuedJob } from './waiting-request.js'

/** The properties of a pending job that the queue stores. */
export interface PendingJob {
  id: number
  project_id: number
  protected: boolean
  tag_list: readonly string[]
  priority: number
}

/** The runner settings of the project of a pending job. */
export interface QueuedProject {
  full_path: string
  shared_runners_enabled: boolean
  group_runners_enabled: boolean
}

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
  await insertEntries(tx, { entries: JSON.stringify(entries) })
}

const ENTRY_COLUMNS = {
  job_id: 'bigint',
  project_id: 'bigint',
  tag_set_id: 'bigint',
  protected: 'boolean',
  instance_runners_allowed: 'boolean',
  priority: 'bigint',
  queued_at: 'bigint',
} as const satisfies Record<keyof QueueEntryTable, string>

const ENTRY_COLUMN_NAMES = Object.keys(ENTRY_COLUMNS) as (keyof QueueEntryTable)[] // the keys of an object are strings

const insertEntries = preparedWrite((database, { entries }: { entries: Placeholder<string> }, dialect) =>
  database
    .insertInto('queue_entry')
    .columns(ENTRY_COLUMN_NAMES)
    .expression((query) =>
      query
        .selectFrom(jsonRows<Insertable<QueueEntryTable>>(dialect, ENTRY_COLUMNS, entries).as('given'))
        .select(ENTRY_COLUMN_NAMES),
    ),
)

/**
 * Applies a changed setting of projects to their queued jobs. Instance runners see the change at their next
 * request.
 */
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
 * Deletes the entries of jobs that are about to be deleted. Must run first, in its own transaction: a claimer
 * locks the queue entry before the pipeline, and a deletion in the other order could deadlock on PostgreSQL.
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

const queuedJobs = preparedRead((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('queue_entry')
    .innerJoin('tag_set', 'tag_set.id', 'queue_entry.tag_set_id')
    .innerJoin('project', 'project.id', 'queue_entry.project_id')
    .select(['job_id', 'project_id', 'protected', 'instance_runners_allowed', 'priority', 'tags'])
    .select(['project.full_path', 'project.group_runners_enabled'])
    .where(isInJson(dialect, sql.ref('job_id'), ids)),
)

/** The subset of the jobs that are in the queue. */
export async function findQueuedJobs(database: Database, jobIds: readonly number[]): Promise<QueuedJob[]> {
  const rows = await queuedJobs(database, { ids: JSON.stringify(jobIds) })
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
