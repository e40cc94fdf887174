import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { type ResourceGroupRow, upcomingJobs } from '../engine/advance/resource-groups/store.js'
import { COMPLETED_STATUSES } from '../engine/job-status.js'

export async function listResourceGroups(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<ResourceGroupRow>> {
  const groups = database.selectFrom('resource_group').where('project_id', '=', projectId)
  return listRows(database, groups, paging, { table: 'resource_group', column: 'id', direction: 'asc' })
}

export function findGroup(
  database: Database,
  projectId: number,
  key: string,
): Promise<ResourceGroupRow | undefined> {
  return database
    .selectFrom('resource_group')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Jobs in the order of the process mode. */
export async function listUpcomingJobs(
  database: Database,
  group: ResourceGroupRow,
  { perPage, offset }: Paging,
): Promise<JobRow[]> {
  return upcomingJobs(database, group).selectAll().limit(perPage).offset(offset).execute()
}

/** Jobs that have the resource of a group, by their IDs. A job that has ended no longer has it. */
export async function findHolders(database: Database, groups: readonly ResourceGroupRow[]) {
  const ids = groups.flatMap(({ job_id }) => job_id ?? [])
  if (ids.length === 0) return new Map<number, never>()
  const jobs = await database
    .selectFrom('job')
    .select(['id', 'name', 'status', 'pipeline_id', 'started_at'])
    .where('id', 'in', ids)
    .where('status', 'not in', COMPLETED_STATUSES)
    .execute()
  return new Map(jobs.map((job) => [job.id, job]))
}
