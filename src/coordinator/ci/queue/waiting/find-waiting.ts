import type { Database } from '../../../database/connect.js'
import type { MissingCapability } from '../../../database/tables/job-columns.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findPendingReasons, type WaitingFor } from './find-pending-reasons.js'

/** Why a job is waiting, is stuck, or could not be dispatched. */
export type WaitReason = WaitingFor | MissingCapability | { reason: 'resource_group'; message: string }

type WaitingJob = Pick<JobRow, 'id' | 'status' | 'waited_for'>

/**
 * The reason why each job is waiting, is stuck, or could not be dispatched. Jobs without such a reason are
 * left out. The position in the queue is expensive.
 */
export async function findWaiting(
  database: Database,
  jobs: readonly WaitingJob[],
  { withPosition }: { withPosition: boolean },
): Promise<Map<number, WaitReason>> {
  const given = jobs.flatMap(({ id, waited_for }) => (waited_for ? [[id, waited_for] as const] : []))
  const pendingIds = idsIn(jobs, 'pending')
  const pending = await findPendingReasons(database, pendingIds, { withPosition })
  const forResource = await findHeldResources(database, idsIn(jobs, 'waiting_for_resource'))
  return new Map<number, WaitReason>([...given, ...pending, ...forResource])
}

function idsIn(jobs: readonly WaitingJob[], status: JobRow['status']): number[] {
  return jobs.filter((job) => job.status === status).map(({ id }) => id)
}

async function findHeldResources(database: Database, jobIds: number[]): Promise<[number, WaitReason][]> {
  if (jobIds.length === 0) return []
  const rows = await database
    .selectFrom('job')
    .innerJoin('resource_group', 'resource_group.id', 'job.resource_group_id')
    .select(['job.id', 'resource_group.key', 'resource_group.job_id as holder'])
    .where('job.id', 'in', jobIds)
    .execute()
  return rows.map(({ id, key, holder }) => [id, forResource(key, holder === id ? null : holder)])
}

function forResource(key: string, holder: number | null): WaitReason {
  const state = holder === null ? '' : `, which job ${holder} has`
  return { reason: 'resource_group', message: `Waits for the resource group "${key}"${state}.` }
}
