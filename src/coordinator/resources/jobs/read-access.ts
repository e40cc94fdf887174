import type { JobRow } from '../../engine/rows.js'
import { checkMayReadPipelines, mayReadPipelines } from '../../http/access.js'
import { forbidden, notFound } from '../../http/errors.js'
import type { Caller, Project } from '../../http/operation.js'

const DEVELOPER = 30
const MAINTAINER = 40

interface Reading {
  caller: Caller
  project: Project
  accessLevel: number
}

/** A job token reads its own project alone: acting as the job's user it could otherwise reach whatever that user may see. */
export function checkMayReadJobs(reading: Reading): void {
  if (isForeignJob(reading)) throw notFound('Project')
  checkMayReadPipelines(reading)
}

/** The same as a question, for a project that is not the one of the request. */
export function mayReadJobs(reading: Reading): boolean {
  return !isForeignJob(reading) && mayReadPipelines(reading)
}

function isForeignJob({ caller, project }: Reading): boolean {
  return caller.kind === 'job' && caller.job.project_id !== project.id
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
