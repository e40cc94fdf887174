import type { JobRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { getJob } from '../job-store.js'
import { findProject, lockPipelineOfJob } from '../pipeline-store.js'
import { findUser } from '../user-store.js'

/** A claimed job with the facts that decide whether it can be dispatched. */
export interface Candidate {
  job: JobRow
  project: ProjectRow
  user: UserRow
}

/** Reads a claimed job under the pipeline lock, where its status cannot change. */
export async function loadCandidate(
  deps: Pick<EngineDeps, 'dialect'>,
  tx: Transaction,
  jobId: number,
): Promise<Candidate> {
  await lockPipelineOfJob(tx, deps.dialect, jobId)
  const job = await getJob(tx, jobId)
  const project = await findProject(tx, job.project_id)
  const user = await findUser(tx, job.user_id)
  return { job, project, user }
}
