import { forbidden, notFound } from '../../http/errors.js'
import type { Caller, Project } from '../../http/operation.js'

const REPORTER = 20

/**
 * Guests see jobs only where the project shows them to everyone (API gaps, A15). A job token reads its own project
 * alone: acting as the job's user it could otherwise reach whatever that user may see.
 */
export function checkMayReadJobs({
  caller,
  project,
  accessLevel,
}: {
  caller: Caller
  project: Project
  accessLevel: number
}): void {
  if (caller.kind === 'job' && caller.job.project_id !== project.id) throw notFound('Project')
  if (accessLevel < REPORTER && !project.public_jobs) throw forbidden()
}
