import { MAINTAINER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError, forbidden } from '../../http/errors.js'
import { markErased } from '../engine/job-log-store.js'
import { isFinished } from '../engine/job-status.js'
import { deleteDotenvVariables } from '../engine/job-variable-store.js'
import type { Artifacts } from '../storage/artifacts/artifacts.js'
import type { Traces } from '../storage/traces.js'

export interface EraseDeps {
  database: Database
  artifacts: Artifacts
  traces: Traces
}

/**
 * Deletes the log, artifacts and dotenv variables of an ended job. Developers may erase only jobs that they
 * started (CI language, 12.5).
 */
export async function eraseJob(
  deps: EraseDeps,
  job: JobRow,
  user: User | undefined,
  accessLevel: number,
): Promise<JobRow> {
  if (accessLevel < MAINTAINER && job.user_id !== user?.id) throw forbidden()
  if (!isFinished(job.status) || job.erased_at !== null) throw apiError('job_not_erasable')
  const erased = await markErased(deps.database, job)
  await deleteDotenvVariables(deps.database, job.id)
  await deps.artifacts.deleteOfJob(job)
  await deps.traces.delete(job)
  return erased
}
