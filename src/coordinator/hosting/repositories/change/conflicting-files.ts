import { GitError } from '../../../../git/errors.js'
import { gitRecords } from '../../../../git/stream-git.js'

export interface TrialMerge {
  /** The tree of the merge, in which texts with conflicts have both sides between markers. */
  tree: string
  /** Paths with conflicts, in order; none for a merge without conflicts. */
  paths: string[]
}

/** Merges two commits with common history, as far as git can; no ref and no commit changes. */
export async function tryMerge(
  gitDir: string,
  { ours, theirs }: { ours: string; theirs: string },
  signal: AbortSignal,
): Promise<TrialMerge> {
  const format = ['--write-tree', '--no-messages', '--name-only', '-z']
  const records: string[] = []
  try {
    for await (const record of gitRecords(['--git-dir', gitDir, 'merge-tree', ...format, ours, theirs], {
      signal,
    }))
      records.push(record)
  } catch (error) {
    // The exit code of a merge with conflicts.
    if (!(error instanceof GitError && error.exitCode === 1 && records.length > 1)) throw error
  }
  const [tree = '', ...paths] = records
  return { tree: tree.trim(), paths: [...new Set(paths.filter((path) => path !== ''))] }
}
