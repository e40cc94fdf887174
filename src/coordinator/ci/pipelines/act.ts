import type { Project, User } from '../../access/caller.js'
import type { PipelineRow } from '../../database/tables/pipeline-rows.js'
import { notFound } from '../../http/errors.js'
import { signedIn } from '../../http/viewer.js'
import { findPipelineOfProject } from '../engine/pipeline-store.js'
import type { PipelineOperationsDeps } from './pipeline-operations-deps.js'
import type { Actor } from './pipelines.js'

/** The caller, and the pipeline that the caller acts on. */
export interface Act {
  project: Project
  pipeline: PipelineRow
  actor: Actor
}

/** What the caller wants to act on. Throws 404 for an unknown pipeline. */
export async function actOf(
  deps: PipelineOperationsDeps,
  call: { project: Project; user: User | undefined; accessLevel: number; params: { pipeline_id: number } },
): Promise<Act> {
  const { project, params } = call
  return { project, pipeline: await pipelineOf(deps, project, params.pipeline_id), actor: actorOf(call) }
}

/** Throws 404 for a pipeline of another project. */
export async function pipelineOf(
  { engine }: PipelineOperationsDeps,
  project: Project,
  id: number,
): Promise<PipelineRow> {
  const pipeline = await findPipelineOfProject(engine.database, project.id, id)
  if (!pipeline) throw notFound()
  return pipeline
}

/**
 * The signed-in user and the access level. The permission of the operation already excludes anonymous
 * callers.
 */
export function actorOf({ user, accessLevel }: { user: User | undefined; accessLevel: number }): Actor {
  return { user: signedIn(user), accessLevel }
}
