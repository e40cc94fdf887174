import { GitError } from '../../../git/errors.js'
import { runGit } from '../../../git/run-git.js'

/** Paths of all files of a commit, in the order of its tree. */
export async function filePaths(gitDir: string, sha: string): Promise<string[]> {
  return paths(await runGit(['--git-dir', gitDir, 'ls-tree', '-r', '-z', '--full-tree', '--name-only', sha]))
}

/** Paths that differ between two commits; a rename gives both paths. `environment`: where git finds more objects. */
export async function changedFiles(
  gitDir: string,
  from: string,
  to: string,
  environment: Record<string, string> = {},
): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-commit-id']
  return paths(await runGit(['--git-dir', gitDir, ...args, '--end-of-options', from, to], { environment }))
}

/** Best common ancestor of two commits; undefined if there is none. */
export async function mergeBase(gitDir: string, one: string, other: string): Promise<string | undefined> {
  try {
    const output = await runGit(['--git-dir', gitDir, 'merge-base', '--end-of-options', one, other])
    return output.trim()
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined
    throw error
  }
}

/** IDs of the newest commits that `to` contains and `from` does not, at most `limit`. Undefined if one of them is gone. */
export async function commitsSince(
  gitDir: string,
  from: string,
  to: string,
  limit: number,
): Promise<string[] | undefined> {
  const args = ['rev-list', `--max-count=${limit}`, '--end-of-options', to, `^${from}`]
  try {
    const output = await runGit(['--git-dir', gitDir, ...args])
    return output.split('\n').filter((line) => line !== '')
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 128) return undefined
    throw error
  }
}

/** Whether `descendant` is `ancestor`, or contains it in its history. Both are commits. */
export async function isAncestor(
  gitDir: string,
  ancestor: string,
  descendant: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const args = ['--git-dir', gitDir, 'merge-base', '--is-ancestor', ancestor, descendant]
  try {
    await runGit(args, signal && { signal })
    return true
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false
    throw error
  }
}

/** Splits NUL-terminated names; in this format git quotes nothing. */
function paths(output: string): string[] {
  return output.split('\0').filter((path) => path !== '')
}
