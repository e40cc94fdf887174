import { sql } from 'kysely'

import { MINUTE } from '../../../../lib/time-units.js'
import { inTransaction } from '../../../database/transaction.js'
import { areUpFor } from '../../queue/presence.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { lockPipeline } from '../pipeline-store.js'

/** Time that a runner has after the timeout to clean up and to reach a coordinator. */
const GRACE_MILLISECONDS = 10 * MINUTE

/**
 * Periodic task: fails jobs that exceed their timeout although their runner stays in contact (CI language,
 * 12.10).
 */
export async function failOverdueJobs(deps: EngineDeps, now = Date.now()): Promise<void> {
  if (!(await areUpFor(deps, GRACE_MILLISECONDS, now))) return
  for (const jobId of await findOverdue(deps, now)) {
    try {
      await failOverdue(deps, jobId)
    } catch (error) {
      deps.logger.error({ err: error, job: jobId }, 'Failed to end a job that exceeds its timeout')
    }
  }
}

async function failOverdue(deps: EngineDeps, jobId: number): Promise<void> {
  const job = await findJob(deps.database, jobId)
  if (!job) return
  await inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, jobId)
    // A different token: the job was restarted in between.
    if (!current?.token_digest || current.token_digest !== job.token_digest) return
    const isCanceling = current.status === 'canceling'
    await endJob(deps, tx, current, {
      status: 'failed',
      failure_reason: isCanceling ? 'server_timeout_canceling' : 'server_timeout_running',
    })
    await advancePipeline(deps, tx, job.pipeline_id)
  })
}

/** Reads the leases, which list the running jobs however many jobs exist. */
async function findOverdue(deps: EngineDeps, now: number): Promise<number[]> {
  const rows = await deps.database
    .selectFrom('lease')
    .innerJoin('job', 'job.id', 'lease.job_id')
    .select('job.id')
    .where(sql<boolean>`${now - GRACE_MILLISECONDS} - job.started_at > 1000 * cast(job.timeout as bigint)`)
    .execute()
  return rows.map((row) => row.id)
}
