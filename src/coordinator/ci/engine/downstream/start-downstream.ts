import { whyReadOnly } from '../../../access/read-only.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { draftPipeline, draftWithinRate } from '../create/draft-pipeline.js'
import type { PipelineRefusal } from '../create/pipeline-request.js'
import { storePipeline } from '../create/store-pipeline.js'
import { gateOf } from '../deployments/protection/gates.js'
import type { EngineDeps } from '../engine-deps.js'
import {
  addBridgeTasks,
  type BridgeTask,
  claimBridgeTask,
  deleteBridgeTask,
} from '../hierarchy/bridge-task-store.js'
import { insertOrigin } from '../hierarchy/downstream-store.js'
import { findJob } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { loadStoredJob, type StoredJob } from '../jobs/stored-job.js'
import { protectionForRun } from '../permissions/run-protection.js'
import { lockPipeline } from '../pipeline-store.js'
import { mirrorPipeline } from './mirror-pipeline.js'
import { type DownstreamRequest, prepareDownstream } from './prepare-downstream.js'
import { type Refusal, refused } from './refusal.js'

/**
 * Performs a trigger job: creates its pipeline, or finds the one to mirror (CI language, 13.2). The pipeline
 * is created and the task completed in one transaction, so exactly one pipeline results even if several
 * coordinators try or one crashes. Updating the trigger job is a separate task: the creator of a pipeline
 * locks the project row and must not lock another pipeline before it.
 */
export async function startDownstream(deps: EngineDeps, task: BridgeTask): Promise<void> {
  const bridge = await loadStoredJob(deps.database, task.subject_id)
  if (!bridge) return deleteBridgeTask(deps.database, task)
  const refusal = refusalOfUpstream(bridge)
  if (refusal) return failBridge(deps, task, bridge, refusal)
  if ((await gateOf(deps, deps.database, bridge.job)) !== 'open') {
    const errors =
      'The environment of the job is protected: it needs a deployer, and the approvals that are asked for'
    return failBridge(deps, task, bridge, refused('protected_environment_failure', errors))
  }
  const { trigger, mirrors } = bridge.job.options
  if (mirrors !== undefined) {
    const found = await mirrorPipeline(deps, task, bridge, mirrors)
    return found && failBridge(deps, task, bridge, found)
  }
  if (!trigger) throw new TypeError(`The trigger job ${bridge.job.id} does not define what it starts`)
  const wanted = await prepareDownstream(deps, bridge, trigger)
  if (wanted.kind === 'refused') return failBridge(deps, task, bridge, wanted)
  await createDownstream(deps, task, bridge, wanted)
}

function refusalOfUpstream({ project, user }: StoredJob): Refusal | undefined {
  const reason = whyReadOnly(project)
  if (reason !== undefined) {
    return refused('archived_failure', `The project ${project.full_path} is ${reason}`)
  }
  if (user.state !== 'active') return refused('user_blocked', `The user ${user.username} is blocked`)
  return undefined
}

async function createDownstream(
  deps: EngineDeps,
  task: BridgeTask,
  bridge: StoredJob,
  wanted: DownstreamRequest,
): Promise<void> {
  const { request } = wanted
  const accessLevel = await deps.outside.levelOf(request.user, request.project)
  const protection = await protectionForRun(deps.database, request, accessLevel)
  const draft = await draftPipeline(deps, request, { accessLevel, protection })
  if (draft.kind === 'refused') {
    return failBridge(deps, task, bridge, refused(reasonOf(draft), draft.message))
  }
  const refusal = await inTransaction(deps.database, async (tx) => {
    const final = await draftWithinRate(deps, tx, request, draft)
    if (final.kind === 'refused') return final
    if (!(await claimBridgeTask(tx, task)) || !(await holdBridge(deps, tx, bridge))) return undefined
    const pipeline = await storePipeline(deps, tx, request, final, protection !== undefined)
    await recordOrigin(tx, bridge, wanted, pipeline)
    await addBridgeTasks(deps, tx, 'follow', [bridge.job.id])
    return undefined
  })
  if (refusal) await failBridge(deps, task, bridge, refused(reasonOf(refusal), refusal.message))
}

/**
 * Blocks the deletion of the job until its pipeline is linked and can be deleted with it; false if the job is
 * deleted.
 */
async function holdBridge(
  { dialect }: Pick<EngineDeps, 'dialect'>,
  tx: Transaction,
  { job }: StoredJob,
): Promise<boolean> {
  const found = await tx
    .selectFrom('job')
    .select('id')
    .where('id', '=', job.id)
    .$if(dialect === 'postgres', (query) => query.forKeyShare())
    .executeTakeFirst()
  return found !== undefined
}

function reasonOf({ reason }: PipelineRefusal): Refusal['reason'] {
  switch (reason) {
    case 'role':
    case 'protected-ref':
    case 'read-only':
    case 'blocked':
      return 'insufficient_bridge_permissions'
    case 'rate':
      return 'reached_downstream_pipeline_trigger_rate_limit'
    default:
      return 'downstream_pipeline_creation_failed'
  }
}

async function recordOrigin(
  tx: Transaction,
  { job }: StoredJob,
  { trigger, ancestry }: DownstreamRequest,
  pipeline: PipelineRow,
): Promise<void> {
  await insertOrigin(tx, {
    pipeline_id: pipeline.id,
    kind: trigger.kind,
    strategy: trigger.strategy ?? null,
    upstream_job_id: job.id,
    upstream_pipeline_id: job.pipeline_id,
    upstream_project_id: job.project_id,
    depth: ancestry.depth,
    root_id: ancestry.rootId ?? pipeline.id,
    hierarchy_root_id: ancestry.hierarchyRootId,
    created_at: pipeline.created_at,
  })
}

/** Fails a trigger job whose pipeline could repeatedly not be created because of an internal error. */
export async function abortDownstream(deps: EngineDeps, task: BridgeTask): Promise<void> {
  const bridge = await loadStoredJob(deps.database, task.subject_id)
  if (!bridge) return deleteBridgeTask(deps.database, task)
  const errors = 'The coordinator could not create the pipeline; its log contains the reason'
  await failBridge(deps, task, bridge, refused('downstream_pipeline_creation_failed', errors))
}

/** Does nothing if the job was canceled in the meantime. */
async function failBridge(
  deps: EngineDeps,
  task: BridgeTask,
  { job }: StoredJob,
  { reason, errors }: Refusal,
): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    await lockPipeline(tx, deps.dialect, job.pipeline_id)
    if (!(await claimBridgeTask(tx, task))) return
    const current = await findJob(tx, job.id)
    if (current?.status !== 'pending') return
    await endJob(deps, tx, current, {
      status: 'failed',
      failure_reason: reason,
      downstream_errors: errors,
    })
    await advancePipeline(deps, tx, job.pipeline_id)
  })
}
