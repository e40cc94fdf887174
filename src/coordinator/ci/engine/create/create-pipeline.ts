import { inTransaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { protectionOf } from '../permissions/ref-protection.js'
import { draftPipeline, draftWithinRate } from './draft-pipeline.js'
import type { PipelineCreation, PipelineRequest } from './pipeline-request.js'
import { storePipeline } from './store-pipeline.js'

export type { PipelineCreation, PipelineRequest, PipelineVariableInput } from './pipeline-request.js'

/**
 * Turns the CI file of a commit into a pipeline whose first jobs are pending. Whether the user may have it is decided
 * here, for every source. Reading git and compiling are over before the one transaction begins. A wrong file gets a
 * failed pipeline that carries `yaml_errors` where the source keeps such (CI language, 9.1), a skipped push one with the
 * status `skipped`; anything else that yields no pipeline is refused with a sentence for the user.
 */
export async function createPipeline(deps: EngineDeps, request: PipelineRequest): Promise<PipelineCreation> {
  const { project, user, ref, refType } = request
  const protection = await protectionOf(deps.database, project.id, refType, ref, user.id)
  const accessLevel = await deps.outside.levelOf(user, project)
  const draft = await draftPipeline(deps, request, { accessLevel, protection })
  return inTransaction(deps.database, async (tx) => {
    const final = await draftWithinRate(deps, tx, request, draft)
    await request.within?.(tx, final.kind === 'refused' ? final.message : undefined)
    if (final.kind === 'refused') return final
    const pipeline = await storePipeline(deps, tx, request, final, protection !== undefined)
    await request.afterStored?.(tx, pipeline)
    return { kind: 'created', pipeline }
  })
}
