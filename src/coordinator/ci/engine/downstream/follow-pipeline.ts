import type { Database } from '../../../database/connect.js'
import type { JobRow, PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { resetDependents } from '../advance/reset-skipped.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { type BridgeTask, claimBridgeTask, deleteBridgeTask } from '../hierarchy/bridge-task-store.js'
import { findDownstream, findMirrored } from '../hierarchy/downstream-store.js'
import { moveJob } from '../job-status-store.js'
import { isCompleted } from '../job-status.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import type { JobEnd } from '../jobs/job-end.js'
import { lockPipeline } from '../pipeline-store.js'
import { bridgeStatus, type Strategy } from './bridge-status.js'

/**
 * Updates a trigger job from the current status of its pipeline (CI language, 13.4). The pipeline may have
 * changed again since the task was added. Each change adds a task of its own, so the last one sees the final
 * status.
 */
export async function followPipeline(deps: EngineDeps, task: BridgeTask): Promise<void> {
  const job = await findJob(deps.database, task.subject_id)
  if (!job) return deleteBridgeTask(deps.database, task)
  await inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    if (!(await claimBridgeTask(tx, task))) return
    const bridge = await findJob(tx, job.id)
    if (!bridge || bridge.retried) return
    const current = task.kind === 'restart' ? await runAgain(tx, bridge) : bridge
    if (isCompleted(current.status) || current.status === 'created') return
    await apply(deps, tx, await started(tx, current), await wantedEnd(tx, current))
    await advancePipeline(deps, tx, job.pipeline_id)
  })
}

/**
 * A trigger job whose pipeline runs again becomes running, and the jobs that were skipped because of it are
 * re-evaluated (CI language, 11.5).
 */
async function runAgain(tx: Transaction, bridge: JobRow): Promise<JobRow> {
  if (!isCompleted(bridge.status)) return bridge
  const running = await move(tx, bridge, 'running')
  await resetDependents(tx, [bridge], bridge.user_id)
  return running
}

async function started(tx: Transaction, bridge: JobRow): Promise<JobRow> {
  return bridge.status === 'pending' ? move(tx, bridge, 'running') : bridge
}

type Wanted = JobEnd | { status: 'running' | 'manual' | 'skipped' }

async function wantedEnd(database: Database, bridge: JobRow): Promise<Wanted> {
  const pipeline = await followedPipeline(database, bridge)
  // Deleted: no result will follow.
  if (!pipeline) return { status: 'canceled' }
  if (bridge.options.trigger && pipeline.failure_reason !== null) {
    return {
      status: 'failed',
      failure_reason: 'downstream_pipeline_creation_failed',
      downstream_errors: errorsFor(bridge, pipeline, pipeline.failure_reason),
    }
  }
  const status = bridgeStatus(strategyOf(bridge), pipeline.status)
  return status === 'failed' ? { status, failure_reason: 'unknown_failure' } : { status }
}

/**
 * The errors of a pipeline may quote files of its project. Users who see a trigger job in another project may
 * not be allowed to read them, so the job stores no details. Users with access find them in the pipeline.
 */
function errorsFor(bridge: JobRow, pipeline: PipelineRow, reason: string): string {
  return pipeline.project_id === bridge.project_id ? (pipeline.yaml_errors ?? reason) : hiddenErrors(reason)
}

/** The text for users who may not read the code of the project of the pipeline. */
function hiddenErrors(reason: string): string {
  return `The pipeline of the other project failed (${reason}); users who may read its code see the details`
}

function followedPipeline(database: Database, { id, options }: JobRow): Promise<PipelineRow | undefined> {
  return options.trigger ? findDownstream(database, id) : findMirrored(database, id)
}

function strategyOf({ options }: JobRow): Strategy {
  return options.trigger ? (options.trigger.strategy ?? 'none') : 'mirror'
}

async function apply(deps: EngineDeps, tx: Transaction, bridge: JobRow, wanted: Wanted): Promise<void> {
  switch (wanted.status) {
    case 'running':
    case 'manual':
    case 'skipped':
      if (wanted.status !== bridge.status) await move(tx, bridge, wanted.status)
      return
    case 'success':
    case 'failed':
    case 'canceled':
      await endJob(deps, tx, bridge, wanted)
  }
}

async function move(
  tx: Transaction,
  bridge: JobRow,
  status: 'running' | 'manual' | 'skipped',
): Promise<JobRow> {
  const changes = {
    status,
    started_at: status === 'skipped' ? null : (bridge.started_at ?? Date.now()),
    finished_at: null,
    failure_reason: null,
    downstream_errors: null,
  }
  if (!(await moveJob(tx, bridge, changes))) throw new UnexpectedStatusError([bridge.id], bridge.status)
  return { ...bridge, ...changes }
}
