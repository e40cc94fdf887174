import { forbidden } from '../../http/errors.js'
import type { Project } from '../../http/operation.js'

const REPORTER = 20

/** Guests see pipelines only where the project shows them to everyone (API gaps, A15). */
export function checkMayRead({ project, accessLevel }: { project: Project; accessLevel: number }): void {
  if (accessLevel < REPORTER && !project.public_jobs) throw forbidden()
}
