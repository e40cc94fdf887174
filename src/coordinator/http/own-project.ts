import { notFound } from './errors.js'
import type { Caller, Project } from './operation.js'

/** Throws 404 for a job that shows its token in another project than its own (API gaps, A3). */
export function checkOwnProject({ caller, project }: { caller: Caller; project: Project }): void {
  if (caller.kind === 'job' && caller.job.project_id !== project.id) throw notFound('Project')
}
