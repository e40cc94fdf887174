import type { PlannedArtifacts } from '../../../ci-config/plan.js'

const READERS = { all: 0, developer: 30, maintainer: 40, none: Infinity }

/**
 * Whether somebody with this level may have the artifacts of a job; the jobs of its own pipeline always may
 * (CI language, 3.4 and 16.1).
 */
export function mayReadArtifacts(accessLevel: number, artifacts: PlannedArtifacts | undefined): boolean {
  return accessLevel >= READERS[artifacts?.access ?? 'all']
}
