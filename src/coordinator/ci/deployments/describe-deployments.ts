import type { Database } from '../../database/connect.js'
import type { JobRecords } from '../../http/presenters/job-records.js'
import type { Deployment } from '../../http/presenters/present-deployment.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { DeploymentRow } from '../engine/deployments/deployment-store.js'
import { findJobs } from '../engine/job-store.js'
import { findEnvironments } from './store.js'

export interface DescribeDeploymentsDeps {
  database: Database
  jobs: JobRecords
  /** Public address without a trailing slash. */
  externalUrl: string
}

/**
 * Returns public records of deployments, in the same order. Embedded records are read once for all
 * deployments.
 */
export async function describeDeployments(
  { database, jobs, externalUrl }: DescribeDeploymentsDeps,
  rows: DeploymentRow[],
): Promise<Deployment[]> {
  const environments = await findEnvironments(database, unique(rows.map((row) => row.environment_id)))
  const users = await usersById(
    database,
    rows.map(({ user_id }) => user_id),
  )
  const jobRows = await findJobs(database, unique(rows.flatMap(({ job_id }) => job_id ?? [])))
  const records = await jobs.describeById(jobRows)
  return rows.flatMap((row) => {
    const environment = environments.find(({ id }) => id === row.environment_id)
    const user = users.get(row.user_id)
    // Deleting the environment deletes the deployment too, so it was deleted while this list was built.
    if (!environment) return []
    const { id, iid, ref, sha, status } = row
    return {
      id,
      iid,
      ref,
      sha,
      status,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
      user: user ? presentUser(user, externalUrl) : null,
      environment,
      deployable: records.get(row.job_id ?? 0) ?? null,
    }
  })
}

function unique(ids: number[]): number[] {
  return [...new Set(ids)]
}
