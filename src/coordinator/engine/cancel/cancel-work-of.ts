import type { EngineDeps } from '../engine-deps.js'
import type { JobStatus } from '../tables.js'
import { cancelJob, cancelPipeline } from './cancel.js'

/** Under way without anybody's doing; what waits for somebody to start it may wait on. */
const UNDER_WAY = [
  ...(['created', 'waiting_for_resource', 'preparing'] as const),
  ...(['pending', 'running', 'scheduled'] as const),
] satisfies JobStatus[]

/**
 * Cancels the pipelines of somebody who may run none any more, and the jobs that they started in those of others, as far
 * as they are under way (API gaps, A16). May be called again when it was cut off.
 */
export async function cancelWorkOf(deps: EngineDeps, userId: number): Promise<void> {
  const pipelines = await deps.database
    .selectFrom('pipeline')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', 'in', UNDER_WAY)
    .orderBy('id')
    .execute()
  for (const pipeline of pipelines) await cancelPipeline(deps, pipeline)
  const jobs = await deps.database
    .selectFrom('job')
    .selectAll()
    .where('user_id', '=', userId)
    .where('status', 'in', UNDER_WAY)
    .orderBy('id')
    .execute()
  for (const job of jobs) await cancelJob(deps, job)
}
