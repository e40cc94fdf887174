import { inTransaction } from '../database/transaction.js'
import { draftPipeline } from './draft-pipeline.js'
import type { EngineDeps } from './engine-deps.js'
import type { PipelineCreation, PipelineRequest } from './pipeline-request.js'
import { isProtectedRef } from './protected-ref.js'
import { storePipeline } from './store-pipeline.js'

export type { PipelineCreation, PipelineRequest, PipelineVariableInput } from './pipeline-request.js'

/**
 * Turns the CI file of a commit into a pipeline whose first jobs are pending. Reading git and compiling are over before
 * the one transaction begins. A push with a wrong file gets a failed pipeline that carries `yaml_errors`, a skipped push one
 * with the status `skipped`; anything else that yields no pipeline is refused with a sentence for the user.
 */
export async function createPipeline(deps: EngineDeps, request: PipelineRequest): Promise<PipelineCreation> {
  const isProtected = await isProtectedRef(deps.database, request.project.id, request.refType, request.ref)
  const draft = await draftPipeline(deps, request, isProtected)
  return inTransaction(deps.database, async (tx) => {
    await request.within?.(tx, draft.kind === 'refused' ? draft.message : undefined)
    if (draft.kind === 'refused') return draft
    return { kind: 'created', pipeline: await storePipeline(deps, tx, request, draft, isProtected) }
  })
}
