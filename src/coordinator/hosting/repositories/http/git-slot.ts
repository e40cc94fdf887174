import { GitBusyError } from '../errors.js'
import type { GitPool } from '../git-semaphore.js'
import type { Repositories } from '../repositories.js'
import { GitRefusedError } from './git-refused-error.js'

/** A slot of a git client: throws `GitRefusedError` 503 where too many wait, and 499 for one that has gone. */
export async function acquireGitSlot(
  repositories: Repositories,
  projectId: number,
  pool: GitPool,
  signal: AbortSignal,
): Promise<() => void> {
  try {
    return await repositories.acquireSlot(projectId, pool, signal)
  } catch (error) {
    if (error instanceof GitBusyError) throw new GitRefusedError(503, error.message, { 'retry-after': '10' })
    if (signal.aborted) throw new GitRefusedError(499, 'The client has gone.')
    throw error
  }
}
