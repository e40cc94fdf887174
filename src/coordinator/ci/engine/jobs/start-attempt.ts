import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { deployAtTheEnd } from '../deployments/follow-jobs.js'
import { gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { cloneJob } from './clone-job.js'
import { enqueueJobs } from './enqueue-jobs.js'

/**
 * A new attempt of an ended job for the user. A manual or delayed one has waited already: it is enqueued at once, the
 * others when the caller advances the pipeline (CI language, 12.1). One that deploys to where approvals are needed waits for
 * them as in the first attempt.
 */
export async function startAttempt(
  deps: Pick<EngineDeps, 'queue' | 'onBridgeTasks' | 'outside'>,
  tx: Transaction,
  job: JobRow,
  userId: number,
): Promise<JobRow> {
  const attempt = await cloneJob(tx, job, userId)
  const isPlayed = job.when === 'manual' || job.when === 'delayed'
  if (isPlayed && (await gateOf(deps, tx, attempt)) === 'open') {
    await enqueueJobs(deps, tx, [attempt], 'created')
    deployAtTheEnd(tx, [attempt.id])
  }
  return attempt
}
