import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { forbidden } from '../../http/errors.js'
import { mayReadArtifacts } from '../engine/artifact-readers.js'
import { mayReadTrace } from '../engine/trace-access.js'

/** Throws 403 if the caller may not read the log. */
export function checkMayReadTrace({ accessLevel }: { accessLevel: number }, job: JobRow): void {
  if (mayReadTrace(accessLevel, job)) return
  throw forbidden(
    'The log was written with CI_DEBUG_TRACE or CI_DEBUG_SERVICES: reading it requires the Developer role',
  )
}

/**
 * Applies to users and their scripts. Jobs of the pipeline can always fetch these artifacts (CI language, 3.4
 * and 16.1).
 */
export function checkMayReadArtifacts({ accessLevel }: { accessLevel: number }, { options }: JobRow): void {
  if (mayReadArtifacts(accessLevel, options.artifacts)) return
  const access = options.artifacts?.access
  throw forbidden(
    `The artifacts of this job are available only to ${access === 'none' ? 'its pipeline' : `${access}s`}`,
  )
}
