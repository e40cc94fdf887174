import type { Project, User } from '../../../access/caller.js'
import { apiError, notFound } from '../../../http/errors.js'
import type { RemoveProject } from '../settings/parameters.js'
import { type DeleteProjectDeps, deleteProjectIf } from './delete-project.js'
import { markForDeletion } from './mark-for-deletion.js'

export interface DeletionDeps extends DeleteProjectDeps {
  /** Number of days for which deleted projects can be restored; 0 = none. */
  deletionAdjournedPeriod: () => Promise<number>
  /** Cancels the running pipelines of a project. */
  cancelWorkIn: (projectId: number) => Promise<void>
}

/**
 * Deletes a project at once, or marks it for deletion by a periodic task if deleted projects are kept for
 * some days (API, C1). Throws 400 for a project that is already marked. Immediate deletion of a marked
 * project requires its `full_path`, and throws 400 otherwise. Returns whether the project is only marked.
 */
export async function deleteOrMark(
  deps: DeletionDeps,
  project: Project,
  user: User,
  params: RemoveProject,
): Promise<boolean> {
  const isKept = (await deps.deletionAdjournedPeriod()) > 0
  if (!isKept || params.permanently_remove) {
    await deleteImmediately(deps, project, params, isKept)
    return false
  }
  await markForDeletion(deps.database, project, user)
  await deps.cancelWorkIn(project.id)
  return true
}

async function deleteImmediately(
  deps: DeletionDeps,
  { id }: Project,
  params: RemoveProject,
  isKept: boolean,
): Promise<void> {
  const removed = await deleteProjectIf(deps, id, (present) => {
    const problem = problemOf(isKept, present, params)
    if (problem !== undefined) throw apiError('project_not_deletable', { reason: problem })
    return true
  })
  if (!removed) throw notFound('Project')
}

function problemOf(
  isKept: boolean,
  project: Project,
  { permanently_remove, full_path }: RemoveProject,
): string | undefined {
  if (isKept && project.marked_for_deletion_at === null) return 'Project must be marked for deletion first.'
  // Without a retention period, the request needs no confirmation.
  if (!permanently_remove || (!isKept && full_path === undefined)) return undefined
  if (full_path?.toLowerCase() === project.full_path.toLowerCase()) return undefined
  return '`full_path` is incorrect. You must enter the complete path for the project.'
}
