import { GitError } from '../../../../git/errors.js'
import { runGit } from '../../../../git/run-git.js'
import { MergeConflictError } from './errors.js'
import { writeCommit } from './write-commit.js'

/** The same for every helper commit, so that the same merge writes the same objects. */
const NOBODY = { name: 'switchyard', email: 'switchyard', date: '@0 +0000' }

/**
 * The tree that has the changes from `base` to `theirs` on top of `ours`; all are commits, `base` undefined = no files.
 * Throws `MergeConflictError` where they contradict, and where nothing would change.
 */
export async function mergeTrees(
  gitDir: string,
  { base, ours, theirs }: { base: string | undefined; ours: string; theirs: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  // Git finds the base of a merge in the history of both sides, so both get one with the base that is wanted.
  const root = await helper(gitDir, base, [])
  const sides = [await helper(gitDir, ours, [root]), await helper(gitDir, theirs, [root])]
  const tree = await mergedTree(gitDir, sides, signal)
  if (tree === (await treeOf(gitDir, ours))) throw new MergeConflictError('empty')
  return tree
}

async function mergedTree(gitDir: string, sides: string[], signal: AbortSignal): Promise<string> {
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
