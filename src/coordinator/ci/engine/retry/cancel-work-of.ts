import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { EngineDeps } from '../engine-deps.js'
import { cancelJob, cancelPipeline } from './cancel.js'

/** Under way without anybody's doing; what waits for somebody to start it may wait on. */
const UNDER_WAY = [
  ...(['created', 'waiting_for_resource', 'preparing'] as const),
  ...(['pending', 'running', 'scheduled'] as const),
] satisfies JobStatus[]

/**
 * Cancels the pipelines of somebody who may run none any more, and the jobs that they started in those of others, as far
 * as they are under way (API, A16). May be called again when it was cut off.
 */
export function cancelWorkOf(deps: EngineDeps, userId: number): Promise<void> {
  return cancelWork(deps, 'user_id', userId)
}

/** The same in a project that is about to go. */
export function cancelWorkIn(deps: EngineDeps, projectId: number): Promise<void> {
  return cancelWork(deps, 'project_id', projectId)
}

/** Goes on with what a coordinator that was stopped has left in projects that are marked for deletion. */
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
    .where('status', 'in', UNDER_WAY)
    .orderBy('id')
    .execute()
  for (const job of jobs) await cancelJob(deps, job)
}
