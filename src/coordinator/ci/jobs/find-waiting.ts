import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { findPendingReasons } from '../queue/waiting/find-pending-reasons.js'
import type { WaitingFor } from './schema.js'

/**
 * The reason why each job is waiting, is stuck, or could not be dispatched. Jobs without such a reason are
 * left out.
 */
export async function findWaiting(database: Database, jobs: JobRow[]): Promise<Map<number, WaitingFor>> {
  const given = jobs.flatMap(({ id, waited_for }) => (waited_for ? [[id, waited_for] as const] : []))
  const pending = await findPendingReasons(database, idsIn(jobs, 'pending'))
  const forResource = await findHeldResources(database, idsIn(jobs, 'waiting_for_resource'))
  return new Map<number, WaitingFor>([...given, ...pending, ...forResource])
}

function idsIn(jobs: JobRow[], status: JobRow['status']): number[] {
  return jobs.filter((job) => job.status === status).map(({ id }) => id)
}

async function findHeldResources(database: Database, jobIds: number[]): Promise<[number, WaitingFor][]> {
  if (jobIds.length === 0) return []
  const rows = await database
    .selectFrom('job')
    .innerJoin('resource_group', 'resource_group.id', 'job.resource_group_id')
    .select(['job.id', 'resource_group.key', 'resource_group.job_id as holder'])
    .where('job.id', 'in', jobIds)
    .execute()
  return rows.map(({ id, key, holder }) => [id, forResource(key, holder === id ? null : holder)])
}

function forResource(key: string, holder: number | null): WaitingFor {
  const state = holder === null ? '' : `, which job ${holder} has`
  return { reason: 'resource_group', message: `Waits for the resource group "${key}"${state}.` }
}
