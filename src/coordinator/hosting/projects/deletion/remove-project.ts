import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { notFound } from '../../../http/errors.js'
import { deleteProject, runningJobs } from '../store.js'

export interface RemoveDeps {
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
 * before or `mayGo` returns false; `mayGo` is called with the locked project.
 */
export async function removeProjectIf(
  deps: RemoveDeps,
  id: number,
  mayGo?: (project: Project) => boolean,
): Promise<boolean> {
  const jobs = await runningJobs(deps.database, id)
  if (!(await deleteProject(deps.database, id, mayGo))) return false
  deps.onJobsGone(jobs)
  await deps.onProjectDeleted(id)
  return true
}

/** Deletes a project; throws 404 if it was deleted before. */
export async function removeProject(deps: RemoveDeps, { id }: Pick<Project, 'id'>): Promise<void> {
  if (!(await removeProjectIf(deps, id))) throw notFound('Project')
}
