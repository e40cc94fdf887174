import type { PlannedArtifacts } from '../../../ci-config/plan.js'

const READERS = { all: 0, developer: 30, maintainer: 40, none: Infinity }

/**
 * Whether a user with this access level may read the artifacts of a job. Jobs of the same pipeline always may
 * (CI language, 3.4 and 16.1).
 */
export function mayReadArtifacts(accessLevel: number, artifacts: PlannedArtifacts | undefined): boolean {
  return accessLevel >= READERS[artifacts?.access ?? 'all']
}
