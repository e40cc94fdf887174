import { GitError } from '../../../../git/errors.js'
import { withApiSlot } from '../api-slot.js'
import { CommitNotFoundError } from '../errors.js'
import type { Repositories } from '../repositories.js'
import { countPushedCommits } from './pushed-commits.js'

export interface PushedBranch {
  projectId: number
  /** Name of the branch. */
  ref: string
  /** Commit before the push; null for a new branch. */
  from: string | null
  /** Commit after the push. */
  to: string
  /** Default branch of the project; null while it has none. */
  defaultBranch: string | null
}

export interface PushSummary {
  /** Title of the newest commit. */
  commit_title: string
  commit_count: number
}

/**
 * Title and number of the commits of a push; for a new branch, of those that the default branch does not
 * contain. Undefined if the commits no longer exist. Throws as `withApiSlot` does; `signal` limits the wait
 * for a slot.
 */
export async function summarizePush(
  repositories: Pick<Repositories, 'path' | 'acquireSlot' | 'readCommit' | 'resolveRef'>,
  pushed: PushedBranch,
  signal: AbortSignal,
): Promise<PushSummary | undefined> {
  const { projectId, to } = pushed
  try {
    const { title } = await repositories.readCommit(projectId, to)
    const range = { to, known: await knownBefore(repositories, pushed) }
    const slot = { projectId, pool: 'reading' as const, signal }
    const gitDir = repositories.path(projectId)
    const count = await withApiSlot(repositories, slot, () => countPushedCommits(gitDir, range))
    return { commit_title: title, commit_count: count }
  } catch (error) {
    // Commits that no ref points to are eventually deleted.
    if (error instanceof GitError || error instanceof CommitNotFoundError) return undefined
    throw error
  }
}

async function knownBefore(
  repositories: Pick<Repositories, 'resolveRef'>,
  { projectId, ref, from, defaultBranch }: PushedBranch,
): Promise<string[]> {
  if (from !== null) return [from]
  if (!defaultBranch || defaultBranch === ref) return []
  const head = await repositories.resolveRef(projectId, `refs/heads/${defaultBranch}`)
  return head ? [head.sha] : []
}
