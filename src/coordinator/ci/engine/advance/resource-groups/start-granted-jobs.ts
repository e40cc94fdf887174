import { inTransaction, type Transaction } from '../../../../database/transaction.js'
import type { EngineDeps } from '../../engine-deps.js'
import { markPending } from '../../jobs/mark-pending.js'
import { lockPipeline } from '../../pipeline-store.js'
import { advancePipeline } from '../advance-pipeline.js'
import { assignResourcesBeforeCommit } from './assign-resource-groups.js'
import { findGrantedJobs, findGroupsWithFreeResource, findPipelinesWithGrantedJobs } from './store.js'

/**
 * Grants free resources to waiting jobs (CI language, 12.8). Also starts jobs with a granted resource that an
 * earlier transaction could not start, because the pipeline was locked or the coordinator stopped. Errors are
 * logged, and the next call retries.
 */
export async function startGrantedJobs(deps: EngineDeps): Promise<undefined> {
  for (const id of await findGroupsWithFreeResource(deps.database)) {
    await attempt(deps, { group: id }, (tx) => {
      assignResourcesBeforeCommit(deps, tx, [id])
      return Promise.resolve()
    })
  }
  for (const id of await findPipelinesWithGrantedJobs(deps.database)) {
    await attempt(deps, { pipeline: id }, (tx) => startGrantedJobsOf(deps, tx, id))
  }
}

async function startGrantedJobsOf(deps: EngineDeps, tx: Transaction, pipelineId: number): Promise<void> {
  await lockPipeline(tx, deps.dialect, pipelineId)
  await markPending(deps, tx, await findGrantedJobs(tx, pipelineId), 'waiting_for_resource')
  await advancePipeline(deps, tx, pipelineId)
}

async function attempt(
  { database, logger }: EngineDeps,
  subject: object,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(database, work)
  } catch (error) {
    logger.error({ err: error, ...subject }, 'Failed to start jobs that wait for a resource')
  }
}
