import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { EngineDeps } from '../engine-deps.js'
import { IS_NO_SUCCESS } from '../job-status-store.js'
import { cancelJob, cancelPipeline } from './cancel.js'

/** Statuses that progress without a user; jobs that wait for a user may keep waiting. */
const UNDER_WAY = [
  ...(['created', 'waiting_for_resource', 'preparing'] as const),
  ...(['pending', 'running', 'scheduled'] as const),
] satisfies JobStatus[]

/**
 * Cancels the running pipelines of a user who may no longer run any, and the running jobs that the user
 * started in other pipelines (API, A16). May be repeated after an interruption.
 */
export function cancelWorkOf(deps: EngineDeps, userId: number): Promise<void> {
  return cancelWork(deps, 'user_id', userId)
}

/** Like `cancelWorkOf`, for a project that is about to be deleted. */
export function cancelWorkIn(deps: EngineDeps, projectId: number): Promise<void> {
  return cancelWork(deps, 'project_id', projectId)
}

/** Continues interrupted cancellations in projects that are marked for deletion. */
export async function cancelWorkInMarkedProjects(deps: EngineDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('project')
    .innerJoin('pipeline', 'pipeline.project_id', 'project.id')
    .select('project.id')
    .distinct()
    .where('project.marked_for_deletion_at', 'is not', null)
    .where('pipeline.status', 'in', UNDER_WAY)
    .execute()
  for (const { id } of rows) await cancelWorkIn(deps, id)
}

async function cancelWork(deps: EngineDeps, column: 'user_id' | 'project_id', id: number): Promise<void> {
  const pipelines = await deps.database
    .selectFrom('pipeline')
    .selectAll()
    .where(column, '=', id)
    .where('status', 'in', UNDER_WAY)
    .orderBy('id')
    .execute()
  for (const pipeline of pipelines) await cancelPipeline(deps, pipeline)
  const jobs = await deps.database
    .selectFrom('job')
    .selectAll()
    .where(column, '=', id)
    .where(IS_NO_SUCCESS)
    .where('status', 'in', UNDER_WAY)
    .orderBy('id')
    .execute()
  for (const job of jobs) await cancelJob(deps, job)
}
