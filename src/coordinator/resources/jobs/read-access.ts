import type { JobRow } from '../../engine/rows.js'
import { forbidden, notFound } from '../../http/errors.js'
import type { Caller, Project } from '../../http/operation.js'

const GUEST = 10
const REPORTER = 20
const DEVELOPER = 30
const MAINTAINER = 40

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

/** The same as a question, for a project that is not the one of the request. */
export function mayReadJobs({
  caller,
  project,
  accessLevel,
}: {
  caller: Caller
  project: Project
  accessLevel: number
}): boolean {
  if (caller.kind === 'job' && caller.job.project_id !== project.id) return false
  return accessLevel >= REPORTER || (accessLevel >= GUEST && project.public_jobs)
}

/** A log that shows every command and variable is for those who could have asked for it (CI language, 8.7). */
export function checkMayReadTrace({ accessLevel }: { accessLevel: number }, job: JobRow): void {
  if (!job.debug_trace || accessLevel >= DEVELOPER) return
  throw forbidden('The log was written with CI_DEBUG_TRACE or CI_DEBUG_SERVICES: only developers may read it')
}

const ARTIFACT_READERS = { all: 0, developer: DEVELOPER, maintainer: MAINTAINER, none: Infinity }

/** Jobs of the pipeline fetch them all the same; this is for people and their scripts (CI language, 3.4 and 16.1). */
export function checkMayReadArtifacts({ accessLevel }: { accessLevel: number }, { options }: JobRow): void {
  const access = options.artifacts?.access ?? 'all'
  if (accessLevel >= ARTIFACT_READERS[access]) return
  throw forbidden(
    `The artifacts of this job are for ${access === 'none' ? 'its pipeline alone' : `${access}s`}`,
  )
}
