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
 * The relation of a caller to the project of a pipeline: the target project of the merge request, whose `place` is
 * known, or its fork.
 */
export async function placeIn(
  deps: VisibilityDeps,
  place: CallerInProject,
  projectId: number,
): Promise<CallerInProject> {
  if (projectId === place.project.id) return place
  const project = await findProject(deps.database, projectId)
  return { project, user: place.user, ...(await accessIn(deps, place.user, project)) }
}

/** The project, if the caller may see its pipelines. */
export async function projectWithPipelines(
  deps: VisibilityDeps,
  place: CallerInProject,
  projectId: number,
): Promise<Project | undefined> {
  const there = await placeIn(deps, place, projectId)
  return may('read_pipelines', there) ? there.project : undefined
}
