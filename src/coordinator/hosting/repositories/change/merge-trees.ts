import { GitError } from '../../../../git/errors.js'
import { runGit } from '../../../../git/run-git.js'
import { MergeConflictError } from './errors.js'
import { writeCommit } from './write-commit.js'

/** Fixed identity of helper commits, so that equal merges write equal objects. */
export const NOBODY = { name: 'switchyard', email: 'switchyard', date: '@0 +0000' }

/**
 * The tree with the changes from `base` to `theirs` applied to `ours`. All are commits; `base` undefined
 * means the empty tree. Throws `MergeConflictError` on conflicts, and if nothing would change.
 */
export async function mergeTrees(
  gitDir: string,
  { base, ours, theirs }: { base: string | undefined; ours: string; theirs: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  // Git finds the merge base in the history of both sides, so both get a helper commit with the wanted base
  // as parent.
  const root = await helper(gitDir, base, [])
  const sides = [await helper(gitDir, ours, [root]), await helper(gitDir, theirs, [root])] as const
  const tree = await mergedTree(gitDir, sides, signal)
  if (tree === (await treeOf(gitDir, ours))) throw new MergeConflictError('empty')
  return tree
}

/**
 * The tree of a merge of two commits with common history, with the merge base that git finds. Throws
 * `MergeConflictError` on conflicts.
 */
export async function mergedTree(
  gitDir: string,
  sides: readonly [string, string],
  signal: AbortSignal,
): Promise<string> {
  const args = ['--git-dir', gitDir, 'merge-tree', '--write-tree', '--no-messages', ...sides]
  try {
    const output = await runGit(args, { signal })
    return output.trim()
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) throw new MergeConflictError('conflict')
    throw error
  }
}

async function helper(gitDir: string, commit: string | undefined, parents: string[]): Promise<string> {
  const tree = commit === undefined ? await emptyTree(gitDir) : await treeOf(gitDir, commit)
  return writeCommit(gitDir, { tree, parents, message: '', author: NOBODY, committer: NOBODY })
}

export async function treeOf(gitDir: string, commit: string): Promise<string> {
  return (
    await runGit(['--git-dir', gitDir, 'rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  ).trim()
}

async function emptyTree(gitDir: string): Promise<string> {
  return (await runGit(['--git-dir', gitDir, 'mktree'], { input: '' })).trim()
}
