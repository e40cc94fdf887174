import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { startWaitingJobs } from '../advance/start-manual-job.js'
import type { EngineDeps } from '../engine-deps.js'
import { waitsForUser } from '../job-actions.js'
import { findLatestJobs, rereadJobs } from '../job-store.js'
import { findPipeline, lockPipeline } from '../pipeline-store.js'
import type { StartedJobs } from './retry-pipeline.js'
import { startableJobs } from './startable-jobs.js'

/**
 * Starts the manual jobs of a pipeline that wait for a user, all or none; with `stage`, those of the stage with
 * this index. Leaves out jobs that the user may not start (`startableJobs`).
 */
export async function playPipeline(
  deps: EngineDeps,
  pipeline: PipelineRow,
  user: { id: number },
  { stage }: { stage?: number | undefined } = {},
): Promise<StartedJobs> {
  return inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, pipeline.id)
    const manual = (await findLatestJobs(tx, pipeline.id, ['manual'])).filter(waitsForUser)
    const wanted = manual.filter((job) => stage === undefined || job.stage_index === stage)
    const { startable, refused } = await startableJobs(deps, tx, wanted, user.id)
    await startWaitingJobs(deps, tx, startable, user.id)
    await advancePipeline(deps, tx, pipeline.id)
    return {
      pipeline: await findPipeline(tx, pipeline.id),
      jobs: await rereadJobs(tx, startable),
      refused,
    }
  })
}
