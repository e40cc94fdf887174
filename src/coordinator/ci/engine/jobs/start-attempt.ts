import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { deployAtTheEnd } from '../deployments/follow-jobs.js'
import { gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import { cloneJob } from './clone-job.js'
import { enqueueJobs } from './enqueue-jobs.js'

/**
 * Creates a new attempt of an ended job for the user. Manual and delayed jobs are enqueued immediately; the
 * others when the caller advances the pipeline (CI language, 12.1). A deployment that needs approvals waits
 * for them, as in the first attempt.
 */
export async function startAttempt(
  deps: Pick<EngineDeps, 'queue' | 'notifications' | 'outside'>,
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
