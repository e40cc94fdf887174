import type { ArtifactLock } from '../../storage/artifacts/artifact-locks.js'
import { deleteLock, findHoldingLocks } from '../../storage/artifacts/artifact-locks.js'
import type { EngineDeps } from '../engine-deps.js'

/**
 * Periodic task: releases the artifacts of deleted branches and tags (CI language, 16.3). Reads git only
 * where expired artifacts wait for deletion.
 */
export async function unlockDeletedRefs(
  { database, repositories, logger }: Pick<EngineDeps, 'database' | 'repositories' | 'logger'>,
  now = Date.now(),
): Promise<void> {
  for (const lock of await findHoldingLocks(database, now)) {
    try {
      if (!(await repositories.resolveRef(lock.project_id, fullName(lock)))) await deleteLock(database, lock)
    } catch (error) {
      logger.warn(
        { err: error, project: lock.project_id },
        'Whether a ref is still there could not be found out',
      )
    }
  }
}

function fullName({ ref, tag }: ArtifactLock): string {
  return tag ? `refs/tags/${ref}` : `refs/heads/${ref}`
}
