import type { JobRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { findProject, lockPipeline } from '../pipeline-store.js'

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
  const { pipeline_id } = await tx
    .selectFrom('job')
    .select('pipeline_id')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  await lockPipeline(tx, deps.dialect, pipeline_id)
  const job = await tx.selectFrom('job').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow()
  const project = await findProject(tx, job.project_id)
  const user = await tx.selectFrom('user').selectAll().where('id', '=', job.user_id).executeTakeFirstOrThrow()
  return { job, project, user }
}
