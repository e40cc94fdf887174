import { isDamage } from '../../../git/errors.js'
import type { Commit } from '../../../git/parse-commit.js'
import { SwitchyardError } from '../../../lib/errors.js'

/** The commit of an entry of a list; undefined if it is gone or damaged, so that the list shows the other entries. */
export async function readableCommit(
  repositories: { readCommit(projectId: number, sha: string): Promise<Commit> },
  projectId: number,
  sha: string,
): Promise<Commit | undefined> {
  try {
    return await repositories.readCommit(projectId, sha)
  } catch (error) {
    if (error instanceof SwitchyardError && error.code === 'COMMIT_NOT_FOUND') return undefined
    if (isDamage(error)) return undefined
    throw error
  }
}
