import type { Insertable } from 'kysely'

import { inTransaction, type Transaction } from '../database/transaction.js'
import { advancePipeline } from './advance-pipeline.js'
import { draftPipeline, type PipelineDraft } from './draft-pipeline.js'
import type { EngineDeps } from './engine-deps.js'
import type { PipelineCreation, PipelineRequest } from './pipeline-request.js'
import { findPipeline, insertPipeline, insertPipelineVariables, nextPipelineIid } from './pipeline-store.js'
import { isProtectedRef } from './protected-ref.js'
import type { PipelineRow } from './rows.js'
import { storePlan } from './store-plan.js'
import type { PipelineTable } from './tables.js'

export type { PipelineCreation, PipelineRequest, PipelineVariableInput } from './pipeline-request.js'

type StoredDraft = Exclude<PipelineDraft, { kind: 'refused' }>

/**
 * Turns the CI file of a commit into a pipeline whose first jobs are pending. Reading git and compiling are over before
 * the one transaction begins. A push with a wrong file gets a failed pipeline that carries `yaml_errors`, a skipped push one
 * with the status `skipped`; anything else that yields no pipeline is refused with a sentence for the user.
 */
export async function createPipeline(deps: EngineDeps, request: PipelineRequest): Promise<PipelineCreation> {
  const isProtected = await isProtectedRef(deps.database, request.project.id, request.refType, request.ref)
  const draft = await draftPipeline(deps.repositories, request, isProtected)
  return inTransaction(deps.database, async (tx) => {
    await request.within?.(tx)
    if (draft.kind === 'refused') return draft
    return { kind: 'created', pipeline: await store(deps, tx, request, draft, isProtected) }
  })
}

async function store(
  deps: EngineDeps,
  tx: Transaction,
  request: PipelineRequest,
  draft: StoredDraft,
  isProtected: boolean,
): Promise<PipelineRow> {
  const iid = await nextPipelineIid(tx, request.project.id)
  const id = await insertPipeline(tx, newPipeline(request, draft, iid, isProtected))
  await storeVariables(deps, tx, request, id)
  if (draft.kind === 'jobs') {
    await deps.repositories.createPipelineRef(request.project.id, id, request.sha)
    await storePlan(tx, await findPipeline(tx, id), draft.plan)
    await advancePipeline(deps, tx, id)
  }
  return findPipeline(tx, id)
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
    sha: request.sha,
    before_sha: request.beforeSha,
    source: request.source,
    protected: isProtected,
    created_at: now,
    updated_at: now,
    ...outcome(draft, now),
  }
}

function outcome(draft: StoredDraft, now: number) {
  switch (draft.kind) {
    case 'jobs':
      return { status: 'created' } as const
    case 'skipped':
      return { status: 'skipped' } as const
    case 'invalid':
      return {
        status: 'failed',
        failure_reason: 'config_error',
        yaml_errors: draft.errors,
        finished_at: now,
      } as const
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
    variables.map(({ key, value, variable_type }) => ({
      pipeline_id: pipelineId,
      key,
      value_encrypted: deps.secrets.encrypt(value),
      variable_type,
    })),
  )
}
