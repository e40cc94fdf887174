import type { PlannedArtifacts } from '../../../ci-config/plan.js'
import { DEVELOPER, MAINTAINER } from '../../access/access-levels.js'

const READERS = { all: 0, developer: DEVELOPER, maintainer: MAINTAINER, none: Infinity }

/**
 * Whether a user with this access level may read the artifacts of a job. Jobs of the same pipeline always may
 * (CI language, 3.4 and 16.1).
 */
export function mayReadArtifacts(accessLevel: number, artifacts: PlannedArtifacts | undefined): boolean {
  return accessLevel >= READERS[artifacts?.access ?? 'all']
}
