import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { apiError } from '../../http/errors.js'
import { mayReadArtifacts } from '../engine/artifact-readers.js'

/**
 * Applies to users and their scripts. Jobs of the pipeline can always fetch these artifacts (CI language, 3.4
 * and 16.1).
 */
export function checkMayReadArtifacts({ accessLevel }: { accessLevel: number }, { options }: JobRow): void {
  if (mayReadArtifacts(accessLevel, options.artifacts)) return
  const access = options.artifacts?.access
  throw apiError('artifacts_forbidden', { readers: access === 'none' ? 'its pipeline' : `${access}s` })
}
