import { DEVELOPER } from '../../access/access-levels.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { forbidden } from '../../http/errors.js'
import { mayReadArtifacts } from '../engine/artifact-readers.js'

/**
 * A debug log shows every command and variable, so only users who could have enabled it may read it (CI
 * language, 8.7).
 */
export function checkMayReadTrace({ accessLevel }: { accessLevel: number }, job: JobRow): void {
  if (!job.debug_trace || accessLevel >= DEVELOPER) return
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
