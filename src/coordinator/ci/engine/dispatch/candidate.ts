import { sql } from 'kysely'

import { executeTogether } from '../../../database/execute-together.js'
import { isInJson } from '../../../database/json-rows.js'
import { type Placeholder, PreparedStatement } from '../../../database/prepared-statement.js'
import type { JobRow, ProjectRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { lockLeasedJobs } from '../job-store.js'
import { type NamedJob, searchLostDependencies } from '../jobs/job-dependencies.js'

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
  const holders = new Map(claims.map(({ jobId, runnerId }) => [jobId, runnerId]))
  const leased = await lockLeasedJobs(tx, deps.dialect, jobIds)
  const jobs = leased.filter(({ job, leasedTo }) => leasedTo === holders.get(job.id)).map(({ job }) => job)
  const { lost, projects, users } = await findFacts(tx, jobs)
  const candidates = new Map<number, Candidate>()
  for (const job of jobs) {
    const [project, user] = [projects.get(job.project_id), users.get(job.user_id)]
    // Foreign keys keep both as long as the job.
    if (project && user) candidates.set(job.id, { job, project, user, lostDependency: lost.get(job.id) })
  }
  return candidates
}

interface Facts {
  /** By the ID of the job. */
  lost: ReadonlyMap<number, NamedJob>
  projects: ReadonlyMap<number, ProjectRow>
  users: ReadonlyMap<number, UserRow>
}

/** One round trip, because other transactions wait for the pipelines. */
async function findFacts(tx: Transaction, jobs: readonly JobRow[]): Promise<Facts> {
  const search = await searchLostDependencies(tx, jobs)
  const idsOf = (column: 'project_id' | 'user_id') =>
    JSON.stringify([...new Set(jobs.map((job) => job[column]))])
  const [projects, users, suspects] = await executeTogether(tx, [
    projectsByIds.with(tx, { ids: idsOf('project_id') }),
    usersByIds.with(tx, { ids: idsOf('user_id') }),
    search.query,
  ])
  return {
    lost: search.readLost(suspects),
    projects: new Map(projects.rows.map((project) => [project.id, project])),
    users: new Map(users.rows.map((user) => [user.id, user])),
  }
}

const projectsByIds = new PreparedStatement((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('project')
    .selectAll()
    .where(isInJson(dialect, sql.ref('id'), ids)),
)

const usersByIds = new PreparedStatement((database, { ids }: { ids: Placeholder<string> }, dialect) =>
  database
    .selectFrom('user')
    .selectAll()
    .where(isInJson(dialect, sql.ref('id'), ids)),
)
