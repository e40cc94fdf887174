import type { JobRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { findLeasedJobs } from '../job-store.js'
import { lostDependenciesInPipeline, type NamedJob } from '../jobs/job-dependencies.js'
import { findProject, lockPipelinesOfJobs } from '../pipeline-store.js'
import { findUser } from '../user-store.js'

/** A claimed job with the facts that decide whether it can be dispatched. */
export interface Candidate {
  job: JobRow
  project: ProjectRow
  user: UserRow
  /** A dependency in the same pipeline whose artifacts were erased or have expired. */
  lostDependency: NamedJob | undefined
}

/** A job that was taken out of the queue, under a lease of this runner. */
export interface ClaimOfRunner {
  jobId: number
  runnerId: number
}

/**
 * Reads claimed jobs under the locks of their pipelines, where their statuses cannot change. Leaves out jobs whose lease has
 * ended or was given to another runner in the meantime.
 */
export async function loadCandidates(
  deps: Pick<EngineDeps, 'dialect'>,
  tx: Transaction,
  claims: readonly ClaimOfRunner[],
): Promise<Map<number, Candidate>> {
  const jobIds = claims.map(({ jobId }) => jobId)
  await lockPipelinesOfJobs(tx, deps.dialect, jobIds)
  const holders = new Map(claims.map(({ jobId, runnerId }) => [jobId, runnerId]))
  const projects = new Map<number, ProjectRow>()
  const users = new Map<number, UserRow>()
  const candidates = new Map<number, Candidate>()
  const leased = await findLeasedJobs(tx, jobIds)
  const jobs = leased.filter(({ job, leasedTo }) => leasedTo === holders.get(job.id)).map(({ job }) => job)
  const lost = await lostDependenciesInPipeline(tx, jobs)
  for (const job of jobs) {
    const project = projects.get(job.project_id) ?? (await findProject(tx, job.project_id))
    projects.set(project.id, project)
    const user = users.get(job.user_id) ?? (await findUser(tx, job.user_id))
    users.set(user.id, user)
    candidates.set(job.id, { job, project, user, lostDependency: lost.get(job.id) })
  }
  return candidates
}
