import { type Selectable, sql } from 'kysely'

import type { Database, DialectName } from '../../../../database/connect.js'
import type { JobStatus } from '../../../../database/tables/job-columns.js'
import type { JobRow } from '../../../../database/tables/pipeline-rows.js'
import type { ProcessMode, ResourceGroupTable } from '../../../../database/tables/resource-groups.js'
import type { Transaction } from '../../../../database/transaction.js'
import { COMPLETED_STATUSES } from '../../job-status.js'

export type ResourceGroupRow = Selectable<ResourceGroupTable>

/**
 * Locks the assignment of these resources until `tx` ends. Locks are taken in the order of the ids, and after
 * every pipeline that `tx` locks.
 */
export async function lockResourceGroups(
  tx: Transaction,
  dialect: DialectName,
  ids: number[],
): Promise<void> {
  if (dialect === 'sqlite') return
  await tx
    .selectFrom('resource_group')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** The groups whose resource can be released or assigned. */
export function findUnassignedGroups(database: Database, ids: number[]): Promise<ResourceGroupRow[]> {
  return unassignedGroups(database).where('resource_group.id', 'in', ids).execute()
}

/** Ids of all groups with a free resource and a waiting job. */
export async function findGroupsWithFreeResource(database: Database): Promise<number[]> {
  const rows = await unassignedGroups(database)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('job as waiting')
          .select('waiting.id')
          .whereRef('waiting.resource_group_id', '=', 'resource_group.id')
          .where('waiting.status', '=', 'waiting_for_resource'),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

function unassignedGroups(database: Database) {
  return database
    .selectFrom('resource_group')
    .leftJoin('job as holder', 'holder.id', 'resource_group.job_id')
    .selectAll('resource_group')
    .where(({ eb, or }) => or([eb('holder.id', 'is', null), eb('holder.status', 'in', COMPLETED_STATUSES)]))
    .orderBy('resource_group.id')
}

export async function setHolder(tx: Transaction, groupId: number, jobId: number | null): Promise<void> {
  await tx.updateTable('resource_group').set({ job_id: jobId }).where('id', '=', groupId).execute()
}

/** Candidates for the resource, the next one first. The first receives it if it is waiting for it. */
export function upcomingJobs(
  database: Database,
  { id, process_mode }: Pick<ResourceGroupRow, 'id' | 'process_mode'>,
) {
  const { among, pipelines } = ORDERS[process_mode]
  return database
    .selectFrom('job')
    .where('resource_group_id', '=', id)
    .where('retried', '=', false)
    .where('status', 'in', among)
    .$if(pipelines !== undefined, (jobs) => jobs.orderBy('pipeline_id', pipelines))
    .orderBy(sql`case status when 'waiting_for_resource' then 0 else 1 end`)
    .orderBy('id')
}

/** The number of `upcomingJobs` of each group, by the IDs of the groups. */
export async function countUpcomingJobs(
  database: Database,
  groups: readonly Pick<ResourceGroupRow, 'id' | 'process_mode'>[],
): Promise<Map<number, number>> {
  if (groups.length === 0) return new Map()
  const ids = groups.map(({ id }) => id)
  const counts = await database
    .selectFrom('job')
    .select(({ fn }) => ['resource_group_id', 'status', fn.countAll<number>().as('total')])
    .where('resource_group_id', 'in', ids)
    .where('retried', '=', false)
    .where('status', 'in', UPCOMING)
    .groupBy(['resource_group_id', 'status'])
    .execute()
  return new Map(
    groups.map(({ id, process_mode }) => [
      id,
      counts
        .filter((each) => each.resource_group_id === id && ORDERS[process_mode].among.includes(each.status))
        .reduce((sum, { total }) => sum + total, 0),
    ]),
  )
}

/** With the ordered modes, a job that is not ready blocks the jobs behind it. */
const UPCOMING: JobStatus[] = ['waiting_for_resource', 'created', 'scheduled']
const READY: JobStatus[] = ['waiting_for_resource']

const ORDERS: Record<ProcessMode, { among: JobStatus[]; pipelines: 'asc' | 'desc' | undefined }> = {
  unordered: { among: READY, pipelines: undefined },
  oldest_first: { among: UPCOMING, pipelines: 'asc' },
  newest_first: { among: UPCOMING, pipelines: 'desc' },
  newest_ready_first: { among: READY, pipelines: 'desc' },
}

export function findUpcomingJob(
  database: Database,
  group: ResourceGroupRow,
): Promise<Pick<JobRow, 'id' | 'status' | 'pipeline_id'> | undefined> {
  return upcomingJobs(database, group).select(['id', 'status', 'pipeline_id']).limit(1).executeTakeFirst()
}

/** Pipelines of jobs that still wait although they were granted their resource. */
export async function findPipelinesWithGrantedJobs(database: Database): Promise<number[]> {
  const rows = await grantedJobs(database).select('job.pipeline_id').distinct().execute()
  return rows.map(({ pipeline_id }) => pipeline_id)
}

export async function findGrantedJobs(tx: Transaction, pipelineId: number): Promise<number[]> {
  const rows = await grantedJobs(tx).select('job.id').where('job.pipeline_id', '=', pipelineId).execute()
  return rows.map(({ id }) => id)
}

function grantedJobs(database: Database) {
  return database
    .selectFrom('resource_group')
    .innerJoin('job', 'job.id', 'resource_group.job_id')
    .where('job.status', '=', 'waiting_for_resource')
}

/** Ids of the project's groups by key; missing groups are created. */
export async function ensureResourceGroups(
  tx: Transaction,
  projectId: number,
  keys: string[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const now = Date.now()
  await tx
    .insertInto('resource_group')
    .values(keys.map((key) => ({ project_id: projectId, key, created_at: now, updated_at: now })))
    .onConflict((conflict) => conflict.columns(['project_id', 'key']).doNothing())
    .execute()
  const rows = await tx
    .selectFrom('resource_group')
    .select(['id', 'key'])
    .where('project_id', '=', projectId)
    .where('key', 'in', keys)
    .execute()
  return new Map(rows.map(({ id, key }) => [key, id]))
}
