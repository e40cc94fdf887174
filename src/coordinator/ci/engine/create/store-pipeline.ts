import type { Insertable } from 'kysely'

import type { Plan } from '../../../../ci-config/plan.js'
import { nextPipelineIid } from '../../../database/stores/project-store.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { PipelineTable } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import { advancePipeline } from '../advance/advance-pipeline.js'
import { warningsOfGroups } from '../advance/resource-groups/group-keys.js'
import type { EngineDeps } from '../engine-deps.js'
import { findJobs } from '../job-store.js'
import { endJob } from '../jobs/end-job.js'
import { findPipeline, insertPipeline, insertPipelineVariables, lockProject } from '../pipeline-store.js'
import { cancelRedundantPipelines } from './cancel-redundant-pipelines.js'
import type { PipelineDraft } from './draft-pipeline.js'
import type { PipelineRequest } from './pipeline-request.js'
import { storePlan } from './store-plan.js'

export type StoredDraft = Exclude<PipelineDraft, { kind: 'refused' }>

/** Stores a drafted pipeline and makes its first jobs pending (CI language, 9.2, row 17). */
export async function storePipeline(
  deps: EngineDeps,
  tx: Transaction,
  request: PipelineRequest,
  draft: StoredDraft,
  isProtected: boolean,
): Promise<PipelineRow> {
  const iid = await iidOf(deps, tx, request, draft)
  const row = { ...newPipeline(request, draft, iid, isProtected), ...keptOfTrigger(deps, request) }
  const id = await insertPipeline(tx, row)
  await storeVariables(deps, tx, request, id)
  if (draft.kind === 'jobs') {
    await deps.repositories.createPipelineRef(request.project.id, id, request.sha)
    const broken = await storePlan(tx, await findPipeline(tx, id), draft.plan)
    await failWithoutEnvironment(deps, tx, broken)
    await advancePipeline(deps, tx, id)
    await cancelRedundantPipelines(deps, tx, await findPipeline(tx, id))
  }
  return findPipeline(tx, id)
}

/** Fails jobs whose environment name is invalid (CI language, 15.1). */
async function failWithoutEnvironment(deps: EngineDeps, tx: Transaction, jobIds: number[]): Promise<void> {
  for (const job of await findJobs(tx, jobIds)) {
    await endJob(deps, tx, job, { status: 'failed', failure_reason: 'environment_creation_failure' })
  }
}

/** Locks the project row, whether the number is new or already allocated. */
async function iidOf(
  { dialect }: EngineDeps,
  tx: Transaction,
  { project }: PipelineRequest,
  { iid }: StoredDraft,
): Promise<number> {
  if (iid === undefined) return nextPipelineIid(tx, project.id)
  await lockProject(tx, dialect, project.id)
  return iid
}

function newPipeline(
  request: PipelineRequest,
  draft: StoredDraft,
  iid: number,
  isProtected: boolean,
): Insertable<PipelineTable> {
  const now = Date.now()
  return {
    iid,
    project_id: request.project.id,
    user_id: request.user.id,
    ref: request.ref,
    tag: request.refType === 'tag',
    merge_request_id: request.mergeRequest?.id ?? null,
    sha: request.sha,
    before_sha: request.beforeSha,
    source: request.source,
    pipeline_schedule_id: request.schedule?.id ?? null,
    protected: isProtected,
    deploy_freeze: request.isDeployFreeze ?? false,
    created_at: now,
    updated_at: now,
    ...outcome(draft, now),
  }
}

function keptOfTrigger({ secrets }: Pick<EngineDeps, 'secrets'>, { trigger }: PipelineRequest) {
  return (
    trigger && {
      trigger_short_token: trigger.shortToken,
      trigger_payload_encrypted: secrets.encrypt(trigger.payload),
    }
  )
}

function outcome(draft: StoredDraft, now: number) {
  switch (draft.kind) {
    case 'jobs':
      return { status: 'created', ...facts(draft.plan) } as const
    case 'skipped':
      return { status: 'skipped' } as const
    case 'invalid':
      return {
        status: 'failed',
        failure_reason: draft.failureReason,
        yaml_errors: draft.errors,
        warnings: JSON.stringify(draft.warnings),
        finished_at: now,
      } as const
  }
}

function facts(plan: Plan) {
  const { name, autoCancel } = plan
  const warnings = [...plan.warnings, ...warningsOfGroups(plan)]
  return {
    name: name ?? null,
    warnings: JSON.stringify(warnings),
    on_new_commit: autoCancel.onNewCommit,
    on_job_failure: autoCancel.onJobFailure,
  }
}

async function storeVariables(
  deps: EngineDeps,
  tx: Transaction,
  { variables = [] }: PipelineRequest,
  pipelineId: number,
): Promise<void> {
  await insertPipelineVariables(
    tx,
    variables.map(({ key, value, variable_type, raw = false }) => ({
      pipeline_id: pipelineId,
      key,
      value_encrypted: deps.secrets.encrypt(value),
      variable_type,
      raw,
    })),
  )
}
