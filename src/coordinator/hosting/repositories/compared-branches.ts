import { runGit } from '../../../git/run-git.js'
import { mergeBase } from './changed-files.js'

/** Size of the difference between two branches. */
export interface ComparedBranches {
  /** Merge base; the head of the target branch if they have no common history. */
  base: string
  /** Commits of the source branch that the target branch lacks. */
  commits: number
  /** Files that differ between the merge base and the head of the source branch. */
  files: number
}

/** Compares two commits of one repository. */
export async function compareBranches(
  gitDir: string,
  { target, source }: { target: string; source: string },
): Promise<ComparedBranches> {
  const common = await mergeBase(gitDir, target, source)
  const base = common ?? target
  const git = ['--git-dir', gitDir]
  const range = ['--end-of-options', `${target}..${source}`]
  const commits = await runGit([...git, 'rev-list', '--count', ...range])
  const files = await runGit([...git, 'diff-tree', '-r', '-z', '-M', '--name-only', base, source])
  return { base, commits: Number(commits), files: files.split('\0').length - 1 }
}

/** Copies the history of a commit from a repository on the same disk, and keeps it. */
export async function fetchToKeep(gitDir: string, from: { gitDir: string; sha: string }): Promise<void> {
  const settings = { 'protocol.file.allow': 'always', 'fetch.unpackLimit': '1' }
  const quiet = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  const [ref] = Object.keys(refsToKeep([from.sha]))
  await runGit(['--git-dir', gitDir, ...quiet, '--', from.gitDir, `+${from.sha}:${ref}`], { settings })
}

/** Moves or creates refs that belong to the coordinator, all or none. */
export async function moveRefs(gitDir: string, refs: Record<string, string>): Promise<void> {
  const input = Object.entries(refs).map(([ref, sha]) => `update ${ref} ${sha}\n`)
  await runGit(['--git-dir', gitDir, 'update-ref', '--stdin'], { input: input.join('') })
}

/** Refs of commits of versions, so that git keeps them after a forced push. Clients do not see them. */
export function refsToKeep(commits: readonly string[]): Record<string, string> {
  return Object.fromEntries(commits.map((sha) => [`refs/keep-around/${sha}`, sha]))
}
