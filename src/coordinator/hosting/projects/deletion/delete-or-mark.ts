import type { Project } from '../../../access/caller.js'
import { ApiError, notFound } from '../../../http/errors.js'
import type { RemoveProject } from '../settings/parameters.js'
import { markForDeletion } from './mark-for-deletion.js'
import { type RemoveDeps, removeProjectIf } from './remove-project.js'

export interface DeletionDeps extends RemoveDeps {
  /** Days for which a deleted project is kept before it is removed; 0 = not at all. */
  deletionAdjournedPeriod: number
  /** Cancels the pipelines of a project that are under way. */
  cancelWorkIn: (projectId: number) => Promise<void>
}

type Period = Pick<DeletionDeps, 'deletionAdjournedPeriod'>

/**
 * Deletes a project as the caller asks: at once, or, where projects are kept for some days, by a mark that a duty looks
 * for later (API, C1). Throws 400 for one that is marked already, and unless `full_path` names one that is to be
 * removed before its days are over.
 */
export async function deleteOrMark(
  deps: DeletionDeps,
  project: Project,
  params: RemoveProject,
): Promise<void> {
  if (!isMarking(deps, params)) return removeAtOnce(deps, project, params)
  await markForDeletion(deps.database, project)
  await deps.cancelWorkIn(project.id)
}

/** Whether what the caller asks for leaves the project there for some days. */
export function isMarking(
  { deletionAdjournedPeriod }: Period,
  { permanently_remove }: RemoveProject,
): boolean {
  return deletionAdjournedPeriod > 0 && !permanently_remove
}

async function removeAtOnce(deps: DeletionDeps, { id }: Project, params: RemoveProject): Promise<void> {
  const removed = await removeProjectIf(deps, id, (present) => {
    const problem = problemOf(deps, present, params)
    if (problem !== undefined) throw new ApiError(400, { message: problem })
    return true
  })
  if (!removed) throw notFound('Project')
}

function problemOf(
  { deletionAdjournedPeriod }: Period,
  project: Project,
  { permanently_remove, full_path }: RemoveProject,
): string | undefined {
  const isKept = deletionAdjournedPeriod > 0
  if (isKept && project.marked_for_deletion_at === null) return 'Project must be marked for deletion first.'
  // Where nothing is kept, nobody has to say twice what is meant.
  if (!permanently_remove || (!isKept && full_path === undefined)) return undefined
  if (full_path?.toLowerCase() === project.full_path.toLowerCase()) return undefined
  return '`full_path` is incorrect. You must enter the complete path for the project.'
}
