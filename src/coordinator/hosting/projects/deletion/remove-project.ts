import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { notFound } from '../../../http/errors.js'
import { deleteProject, runningJobs } from '../store.js'

export interface RemoveDeps {
  database: Database
  /** Called when the project's rows are gone: removes repository, traces, artifacts and uploads. */
  onProjectDeleted: (projectId: number) => Promise<void>
  /** Called with jobs that ran: their runners hear at once that there is nothing more to do. */
  onJobsGone: (jobIds: number[]) => void
}

/**
 * Removes a project with all that belongs to it; what it has on the disk follows, also after a crash. False when it was
 * gone already, or `mayGo` says no, which is asked of the project as it is when nobody else can change it.
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

/** The same whatever it is like; throws 404 when it was gone already. */
export async function removeProject(deps: RemoveDeps, { id }: Pick<Project, 'id'>): Promise<void> {
  if (!(await removeProjectIf(deps, id))) throw notFound('Project')
}
