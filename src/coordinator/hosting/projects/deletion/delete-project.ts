import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { notFound } from '../../../http/errors.js'
import { deleteProjectRow, runningJobs } from '../store.js'

export interface DeleteProjectDeps {
  database: Database
  /**
   * Called after the rows of the project are deleted; deletes its repository, job logs, artifacts and
   * uploads.
   */
  onProjectDeleted: (projectId: number) => Promise<void>
  /** Called with the jobs that were running, so that their runners stop at once. */
  onJobsGone: (jobIds: number[]) => void
}

/**
 * Deletes a project with all its rows and files, even if a crash interrupts it. False if it was deleted
 * before or `mayBeDeleted` returns false; `mayBeDeleted` is called with the locked project.
 */
export async function deleteProjectIf(
  deps: DeleteProjectDeps,
  id: number,
  mayBeDeleted?: (project: Project) => boolean,
): Promise<boolean> {
  const jobs = await runningJobs(deps.database, id)
  if (!(await deleteProjectRow(deps.database, id, mayBeDeleted))) return false
  deps.onJobsGone(jobs)
  await deps.onProjectDeleted(id)
  return true
}

/** Deletes a project; throws 404 if it was deleted before. */
export async function deleteProject(deps: DeleteProjectDeps, { id }: Pick<Project, 'id'>): Promise<void> {
  if (!(await deleteProjectIf(deps, id))) throw notFound('Project')
}
