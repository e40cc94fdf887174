import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { findOutdated } from './deployment-store.js'

/**
 * Whether another attempt of an ended job would deploy older code over newer. Only a job that had succeeded
 * may roll back, and only if the project allows it (CI language, 15.4).
 */
export async function isRollbackRefused(
  database: Database,
  job: Pick<JobRow, 'id' | 'status' | 'project_id' | 'environment_action'>,
): Promise<boolean> {
  if (job.environment_action !== 'start' || !(await findOutdated(database, [job.id])).has(job.id))
    return false
  if (job.status !== 'success') return true
  const project = await database
    .selectFrom('project')
    .select('ci_forward_deployment_rollback_allowed as allowed')
    .where('id', '=', job.project_id)
    .executeTakeFirstOrThrow()
  return !project.allowed
}
