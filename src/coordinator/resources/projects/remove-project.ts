import type { Database } from '../../database/connect.js'
import { badRequest, notFound } from '../../http/errors.js'
import type { Project } from '../../http/operation.js'
import type { RemoveProject } from './parameters.js'
import { deleteProject, runningJobs } from './store.js'

export interface RemoveDeps {
  database: Database
  /** Called when the project's rows are gone: removes repository, traces, artifacts and uploads. */
  onProjectDeleted: (projectId: number) => Promise<void>
  /** Called with jobs that ran: their runners hear at once that there is nothing more to do. */
  onJobsGone: (jobIds: number[]) => void
}

/** Throws 400 where the caller means another project by its address than by its number (API gaps, C1). */
export function refuseOtherPath(project: Project, { permanently_remove, full_path }: RemoveProject): void {
  if (!permanently_remove || full_path === undefined) return
  if (full_path.toLowerCase() === project.full_path.toLowerCase()) return
  throw badRequest('`full_path` is incorrect. You must enter the complete path for the project.')
}

/** Deletes a project with all that belongs to it; what it has on the disk follows, also after a crash. */
export async function removeProject(deps: RemoveDeps, { id }: Project): Promise<void> {
  const jobs = await runningJobs(deps.database, id)
  if (!(await deleteProject(deps.database, id))) throw notFound('Project')
  deps.onJobsGone(jobs)
  await deps.onProjectDeleted(id)
}
