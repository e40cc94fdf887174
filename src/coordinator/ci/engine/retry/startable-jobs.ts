import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { archivedTest } from '../archived-jobs.js'
import { isRollbackRefused } from '../deployments/is-rollback-refused.js'
import { gatesOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'

/**
 * Why a user may not start a job: it is too old, it would deploy older code over newer, the user is no deployer
 * of its protected environment, or its deployment needs approvals.
 */
export type StartRefusal = 'archived' | 'outdated' | 'forbidden' | 'unapproved'

export interface RefusedJob {
  job: JobRow
  reason: StartRefusal
}

export interface StartableJobs {
  startable: JobRow[]
  refused: RefusedJob[]
}

/**
 * Divides jobs of one pipeline into those that the user may start or retry now, and the others. A retried job
 * gets a new deployment, which is approved after it is created; so approvals count for jobs that wait alone.
 */
export async function startableJobs(
  deps: Pick<EngineDeps, 'outside'>,
  tx: Transaction,
  jobs: JobRow[],
  userId: number,
): Promise<StartableJobs> {
  const isArchived = await archivedTest(tx)
  const gates = await gatesFor(deps, tx, jobs, userId)
  const result: StartableJobs = { startable: [], refused: [] }
  for (const job of jobs) {
    const gate = gates.get(job.id)
    const reason = isArchived(job)
      ? 'archived'
      : (await isRollbackRefused(tx, job))
        ? 'outdated'
        : gate === 'forbidden' || (gate === 'unapproved' && job.status === 'manual')
          ? gate
          : undefined
    if (reason) result.refused.push({ job, reason })
    else result.startable.push(job)
  }
  return result
}

async function gatesFor(
  deps: Pick<EngineDeps, 'outside'>,
  tx: Transaction,
  jobs: JobRow[],
  userId: number,
): ReturnType<typeof gatesOf> {
  const withEnvironment = jobs.filter(({ environment_action }) => environment_action !== null)
  const [first] = withEnvironment
  if (!first) return new Map()
  const jobIds = withEnvironment.map(({ id }) => id)
  return gatesOf(deps, tx, { projectId: first.project_id, jobIds, asUserId: userId })
}
