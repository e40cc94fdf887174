import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJob } from '../job-status-store.js'
import { findJob } from '../job-store.js'
import { lockPipeline } from '../pipeline-store.js'

/** Makes a delayed job that waits for its time a manual job (CI language, 10.2). */
export async function unscheduleJob(deps: EngineDeps, job: JobRow): Promise<JobRow | 'not-scheduled'> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    const current = await findJob(tx, job.id)
    if (current?.status !== 'scheduled') return 'not-scheduled'
    if (!(await moveJob(tx, current, { status: 'manual', scheduled_at: null }))) {
      throw new UnexpectedStatusError([job.id], current.status)
    }
    await advancePipeline(deps, tx, job.pipeline_id)
    return (await findJob(tx, job.id)) ?? 'not-scheduled'
  })
}
