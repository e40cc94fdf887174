import type { ConfigData } from '../../../ci-config/plan.js'
import { isRecord } from '../../../lib/is-record.js'
import type { Project } from '../../access/caller.js'
import { jobTokenRefusal } from '../../access/foreign-job.js'
import { allowsJobTokensOf } from '../../access/job-token-allowlist.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { type ApiError, apiError } from '../../http/errors.js'
import { refusedPipeline } from '../../http/refused-pipeline.js'
import { createPipelineOnRef, type PipelineOnRef } from '../engine/create/create-on-ref.js'
import type { PipelineVariableInput } from '../engine/create/create-pipeline.js'
import type { PipelineRefusal } from '../engine/create/pipeline-request.js'
import { findTriggerer, type Triggerer } from '../engine/create/triggerer.js'
import { type StartedByJob, startedByJob } from '../engine/downstream/started-by-job.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { recordTriggerUse } from '../trigger-store.js'

export interface TriggerRequest {
  token: string
  ref: string
  /** Unvalidated; must be a map of texts. */
  variables: unknown
  inputs: Record<string, ConfigData>
  /** All parameters of the request except its token, as JSON. */
  payload: string
}

/**
 * Creates a pipeline for the holder of a trigger token of the project, or of the token of a running job (API,
 * I2). Throws 404 for any other token, and for a project that the owner of the token may not see. Throws 403
 * for a job outside the job-token allowlist, and 400 if no pipeline is created.
 */
export async function triggerPipeline(
  engine: EngineDeps,
  project: Project | undefined,
  { token, ref, variables, inputs, payload }: TriggerRequest,
): Promise<PipelineRow> {
  const by = project && (await findTriggerer(engine.database, project.id, token))
  if (!project || !by || (await engine.outside.levelOf(by.user, project)) === 0) throw notFound()
  await refuseForeignJob(engine, project, by)
  const wanted = { project, user: by.user, ref, variables: readVariables(variables), inputs }
  const cause = await causeOf(engine, by, payload)
  if (cause.kind === 'refused') throw refusedPipeline(cause)
  const creation = await createPipelineOnRef(engine, { ...wanted, ...cause })
  if (creation.kind === 'refused') throw refusedPipeline(creation)
  if (by.kind === 'trigger') await recordTriggerUse(engine.database, by.id)
  return creation.pipeline
}

async function refuseForeignJob({ database }: EngineDeps, project: Project, by: Triggerer): Promise<void> {
  if (by.kind === 'trigger' || (await allowsJobTokensOf(database, project, by.job.project_id))) return
  throw apiError('job_token_not_allowed', { reason: jobTokenRefusal(by.job.project_id, project) })
}

type Cause = ({ kind: 'trigger' } | StartedByJob) & Pick<PipelineOnRef, 'source' | 'trigger'>

async function causeOf(
  { database }: EngineDeps,
  by: Triggerer,
  payload: string,
): Promise<Cause | PipelineRefusal> {
  if (by.kind === 'trigger') {
    return { kind: 'trigger', source: 'trigger', trigger: { shortToken: by.shortToken, payload } }
  }
  const started = await startedByJob(database, by.job)
  return started.kind === 'refused' ? started : { ...started, source: 'pipeline' }
}

function readVariables(variables: unknown): PipelineVariableInput[] {
  if (variables === undefined || variables === null || variables === '') return []
  if (!isRecord(variables)) throw notAMap()
  return Object.entries(variables).map(([key, value]) => {
    if (typeof value !== 'string') throw notAMap()
    return { key, value, variable_type: 'env_var' }
  })
}

function notAMap(): ApiError {
  return apiError('trigger_variables_not_a_map')
}

/** A wrong token and a token of another project get one response. */
function notFound(): ApiError {
  return apiError('trigger_target_not_found')
}
