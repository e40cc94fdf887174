import { createPipeline, type PipelineVariableInput } from '../../engine/create-pipeline.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { mayRunOnRef } from '../../engine/may-run-on-ref.js'
import { maySetVariables } from '../../engine/may-set-variables.js'
import { retryPipeline } from '../../engine/retry.js'
import type { PipelineRow } from '../../engine/rows.js'
import { runnableRef } from '../../engine/runnable-ref.js'
import { forbidden, invalidRecord } from '../../http/errors.js'
import type { Project, User } from '../../http/operation.js'
import type { Artifacts } from '../../storage/artifacts.js'
import type { Traces } from '../../storage/traces.js'
import { deletePipelineRow, jobsOfPipeline } from './store.js'

const NO_COMMIT = '0'.repeat(40)

/** Who asks, and how much that is in the project. */
export interface Actor {
  user: User
  accessLevel: number
}

/** Creates a pipeline on the tip of a branch or tag; throws 400 with the reason when there is to be none. */
export async function startPipeline(
  engine: EngineDeps,
  project: Project,
  { user, accessLevel }: Actor,
  wanted: { ref: string; variables: PipelineVariableInput[] },
): Promise<PipelineRow> {
  const found = await runnableRef(engine, project.id, wanted.ref, accessLevel)
  if (found.kind !== 'ref') throw refusal(found.message)
  const { ref, type: refType, sha } = found
  const creation = await createPipeline(engine, {
    project,
    user,
    ref,
    refType,
    sha,
    beforeSha: NO_COMMIT,
    source: 'api',
    variables: wanted.variables,
    maySetVariables: maySetVariables(project, accessLevel),
  })
  if (creation.kind === 'refused') throw refusal(creation.message)
  return creation.pipeline
}

/** Runs the failed and canceled jobs again; on a protected ref only for those who may run jobs there. */
export async function rerunPipeline(
  engine: EngineDeps,
  pipeline: PipelineRow,
  { user, accessLevel }: Actor,
): Promise<PipelineRow> {
  const kind = pipeline.tag ? 'tag' : 'branch'
  const { project_id, ref } = pipeline
  if (!(await mayRunOnRef(engine.database, project_id, kind, ref, accessLevel))) throw forbidden()
  return retryPipeline(engine, pipeline, user)
}

/** Deletes the pipeline with everything its jobs have left. */
export async function deletePipeline(
  { engine, artifacts, traces }: { engine: EngineDeps; artifacts: Artifacts; traces: Traces },
  pipeline: PipelineRow,
): Promise<void> {
  const jobs = await jobsOfPipeline(engine.database, pipeline.id)
  await deletePipelineRow(engine.database, pipeline.id)
  for (const job of jobs) {
    await artifacts.deleteOfJob(job)
    await traces.delete(job)
  }
  await releaseCommit(engine, pipeline)
}

/** What fails is made up for by `tendRepositories`. */
async function releaseCommit({ repositories, logger }: EngineDeps, pipeline: PipelineRow): Promise<void> {
  try {
    await repositories.deletePipelineRefs(pipeline.project_id, [pipeline.id])
  } catch (error) {
    logger.warn({ err: error, pipeline: pipeline.id }, 'The ref of a deleted pipeline is left for later')
  }
}

function refusal(reason: string): Error {
  return invalidRecord({ base: [reason] })
}
