import { beforeCommit, type Transaction } from '../../../database/transaction.js'
import { COMMIT_ORDER } from '../commit-order.js'
import { deploymentStatusOf, isFinishedDeployment } from './deployment-status.js'
import {
  findFollowedDeployments,
  findJobsToDeploy,
  insertDeployment,
  nextDeploymentIid,
  updateDeployment,
} from './deployment-store.js'

interface Touched {
  /** Jobs that became ready. */
  jobs: Set<number>
  pipelines: Set<number>
}

const touched = new WeakMap<Transaction, Touched>()

/**
 * Creates deployments at the end of `tx` for those of the jobs that deploy. The jobs have become ready,
 * whether they run or not (CI language, 11.3, step 4; CI language, 15.2).
 */
export function deployAtTheEnd(tx: Transaction, jobIds: number[]): void {
  if (jobIds.length === 0) return
  const { jobs } = touchedBy(tx)
  for (const id of jobIds) jobs.add(id)
}

/** Updates the deployments of a pipeline from the statuses of their jobs at the end of `tx`. */
export function followAtTheEnd(tx: Transaction, pipelineId: number): void {
  touchedBy(tx).pipelines.add(pipelineId)
}

function touchedBy(tx: Transaction): Touched {
  const known = touched.get(tx)
  if (known) return known
  const fresh: Touched = { jobs: new Set(), pipelines: new Set() }
  touched.set(tx, fresh)
  beforeCommit(tx, COMMIT_ORDER.deployments, async () => {
    touched.delete(tx)
    await createDeployments(tx, [...fresh.jobs])
    for (const pipelineId of fresh.pipelines) await followJobs(tx, pipelineId)
  })
  return fresh
}

/** Processes projects in the order of their ids, because each has one counter. */
async function createDeployments(tx: Transaction, jobIds: number[]): Promise<void> {
  const now = Date.now()
  for (const job of await findJobsToDeploy(tx, jobIds)) {
    const { id, options, environment_id, project_id, user_id, ref, tag, sha } = job
    await insertDeployment(tx, {
      project_id,
      environment_id,
      user_id,
      ref,
      tag,
      sha,
      iid: await nextDeploymentIid(tx, project_id),
      job_id: id,
      status: 'created',
      on_stop: options.environment?.onStop ?? null,
      created_at: now,
      updated_at: now,
    })
  }
}

async function followJobs(tx: Transaction, pipelineId: number): Promise<void> {
  for (const deployment of await findFollowedDeployments(tx, pipelineId)) {
    const status = deploymentStatusOf(deployment.jobStatus)
    if (status === undefined || status === deployment.status) continue
    // It has its approvals, and now waits to be played.
    if (status === 'blocked' && deployment.status === 'created' && deployment.approved_at !== null) continue
    await updateDeployment(tx, deployment.id, {
      status,
      ...(isFinishedDeployment(status) && { finished_at: deployment.jobFinishedAt }),
    })
  }
}
