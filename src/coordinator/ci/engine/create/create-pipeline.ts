import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { isDeployFreeze } from '../../predefined-variables/deploy-freeze.js'
import type { EngineDeps } from '../engine-deps.js'
import { protectionForRun } from '../permissions/run-protection.js'
import { draftPipeline, draftWithinRate, refusalOfRights, type RunRights } from './draft-pipeline.js'
import type { PipelineCreation, PipelineRequest } from './pipeline-request.js'
import { requestNow } from './request-now.js'
import { storePipeline } from './store-pipeline.js'

export type { PipelineCreation, PipelineRequest, PipelineVariableInput } from './pipeline-request.js'

/**
 * Creates a pipeline from the CI file of a commit and makes its first jobs pending. Checks here, for every
 * source, whether the user may create it, and again in the transaction that stores it: to compile the file may take
 * long. Git is read and the file compiled before that transaction starts.
 *
 * An invalid file yields a failed pipeline with `yaml_errors` if the source stores those (CI language, 9.1).
 * A skipped push yields a pipeline with the status `skipped`. Any other failure is refused with a message for
 * the user.
 */
export async function createPipeline(deps: EngineDeps, asked: PipelineRequest): Promise<PipelineCreation> {
  const isFrozen = await isDeployFreeze(deps.database, asked.project.id, Date.now())
  const request = { ...asked, isDeployFreeze: isFrozen }
  for (;;) {
    const creation = await tryToCreate(deps, request)
    if (creation !== 'protection-changed') return creation
  }
}

/**
 * `protection-changed`: the ref is protected since, or not any more, so that the file must be compiled again with other
 * variables. Nothing was stored then.
 */
async function tryToCreate(
  deps: EngineDeps,
  request: PipelineRequest,
): Promise<PipelineCreation | 'protection-changed'> {
  const rights = await rightsOf(deps, deps.database, request)
  const draft = await draftPipeline(deps, request, rights)
  const isProtected = rights.protection !== undefined
  return inTransaction(deps.database, async (tx) => {
    const limited = await draftWithinRate(deps, tx, request, draft)
    const now = limited.kind === 'refused' ? undefined : await rightsNow(deps, tx, request)
    if (now && !now.refusal && now.isProtected !== isProtected) return 'protection-changed'
    const rechecked = now?.refusal ?? limited
    const final = rechecked.kind === 'refused' ? rechecked : ((await request.recheck?.(tx)) ?? rechecked)
    await request.within?.(tx, final.kind === 'refused' ? final : undefined)
    if (final.kind === 'refused') return final
    const pipeline = await storePipeline(deps, tx, request, final, isProtected)
    await request.afterStored?.(tx, pipeline)
    return { kind: 'created', pipeline }
  })
}

async function rightsNow(deps: EngineDeps, tx: Transaction, request: PipelineRequest) {
  const present = await requestNow(tx, request)
  const rights = await rightsOf(deps, tx, present)
  return { refusal: refusalOfRights(present, rights), isProtected: rights.protection !== undefined }
}

async function rightsOf(deps: EngineDeps, database: Database, request: PipelineRequest): Promise<RunRights> {
  const accessLevel = await deps.outside.levelOf(request.user, request.project, database)
  return { accessLevel, protection: await protectionForRun(database, request, accessLevel) }
}
