import { may } from '../../access/access.js'
import type { Project } from '../../access/caller.js'
import { findProject } from '../../ci/engine/pipeline-store.js'
import type { Database } from '../../database/connect.js'
import { accessIn, type OperationDeps } from '../../http/handle-operation.js'
import type { CallerInProject } from '../access/issue-access.js'

export interface VisibilityDeps extends Pick<OperationDeps, 'projectAccessOf'> {
  database: Database
}

/**
 * The relation of a caller to the project of a pipeline: the target project of the merge request, whose `caller` is
 * known, or its fork.
 */
export async function placeIn(
  deps: VisibilityDeps,
  caller: CallerInProject,
  projectId: number,
): Promise<CallerInProject> {
  if (projectId === caller.project.id) return caller
  const project = await findProject(deps.database, projectId)
  return { project, user: caller.user, ...(await accessIn(deps, caller.user, project)) }
}

/** The project, if the caller may see its pipelines. */
export async function projectWithPipelines(
  deps: VisibilityDeps,
  caller: CallerInProject,
  projectId: number,
): Promise<Project | undefined> {
  const there = await placeIn(deps, caller, projectId)
  return may('read_pipelines', there) ? there.project : undefined
}
