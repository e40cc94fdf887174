import { inTransaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { protectionForRun } from '../permissions/run-protection.js'
import { draftPipeline, draftWithinRate } from './draft-pipeline.js'
import type { PipelineCreation, PipelineRequest } from './pipeline-request.js'
import { storePipeline } from './store-pipeline.js'

export type { PipelineCreation, PipelineRequest, PipelineVariableInput } from './pipeline-request.js'

/**
 * Creates a pipeline from the CI file of a commit and makes its first jobs pending. Checks here, for every
 * source, whether the user may create it. Git is read and the file compiled before the only transaction
 * starts.
 *
 * An invalid file yields a failed pipeline with `yaml_errors` if the source stores those (CI language, 9.1).
 * A skipped push yields a pipeline with the status `skipped`. Any other failure is refused with a message for
 * the user.
 */
export async function createPipeline(deps: EngineDeps, request: PipelineRequest): Promise<PipelineCreation> {
  const accessLevel = await deps.outside.levelOf(request.user, request.project)
  const protection = await protectionForRun(deps.database, request, accessLevel)
  const draft = await draftPipeline(deps, request, { accessLevel, protection })
  return inTransaction(deps.database, async (tx) => {
    const limited = await draftWithinRate(deps, tx, request, draft)
    const final = limited.kind === 'refused' ? limited : ((await request.recheck?.(tx)) ?? limited)
    await request.within?.(tx, final.kind === 'refused' ? final.message : undefined)
    if (final.kind === 'refused') return final
    const pipeline = await storePipeline(deps, tx, request, final, protection !== undefined)
    await request.afterStored?.(tx, pipeline)
    return { kind: 'created', pipeline }
  })
}
