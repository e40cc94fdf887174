import { GitBusyError } from '../errors.js'
import type { GitPool } from '../git-semaphore.js'
import type { Repositories } from '../repositories.js'
import { gitError } from './git-refused-error.js'

/**
 * Acquires a slot for a git client. Throws `GitRefusedError` 503 if too many clients wait, and 499 if the
 * client has disconnected.
 */
export async function acquireGitSlot(
  repositories: Repositories,
  projectId: number,
  pool: GitPool,
  signal: AbortSignal,
): Promise<() => void> {
  try {
    return await repositories.acquireSlot(projectId, pool, signal)
  } catch (error) {
    if (error instanceof GitBusyError) {
      throw gitError('git_busy', { reason: error.message }, { 'retry-after': '10' })
    }
    if (signal.aborted) throw gitError('git_client_gone')
    throw error
  }
}
