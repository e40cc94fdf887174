import { runGit } from '../../../../git/run-git.js'
import { MergeConflictError } from './errors.js'
import { writeCommit } from './write-commit.js'
import { treeOfMerge } from './write-merge.js'

/** The ref of a merge request for its head, for the commit of a trial merge, or for its result in a merge train. */
export function refOfMergeRequest(iid: number, name: 'head' | 'merge' | 'train'): string {
  return `refs/merge-requests/${iid}/${name}`
}

/** The commit of a ref of a merge request; undefined if there is none. */
export async function commitOfMergeRequest(
  gitDir: string,
  iid: number,
  name: 'head' | 'merge',
): Promise<string | undefined> {
  const format = ['for-each-ref', '--format=%(objectname)']
  const output = await runGit(['--git-dir', gitDir, ...format, refOfMergeRequest(iid, name)])
  return output.trim() || undefined
}

/** Copies the history of a branch from a repository on the same disk, to the ref of a merge request. */
export async function fetchHead(
  gitDir: string,
  from: { gitDir: string; branch: string },
  iid: number,
  signal: AbortSignal,
): Promise<void> {
  const settings = { 'protocol.file.allow': 'always', 'fetch.unpackLimit': '1' }
  const quiet = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
  const move = `+refs/heads/${from.branch}:${refOfMergeRequest(iid, 'head')}`
  await runGit(['--git-dir', gitDir, ...quiet, '--', from.gitDir, move], { settings, signal })
}

/** Deletes the refs of a merge request; those that do not exist are ignored. */
export async function deleteMergeRequestRefs(gitDir: string, iid: number): Promise<void> {
  const names = ['head', 'merge', 'train'] as const
  await deleteRefs(
    gitDir,
    names.map((name) => refOfMergeRequest(iid, name)),
  )
}

/** Deletes the refs of merge requests with other numbers than these. */
export async function deleteOtherMergeRequestRefs(gitDir: string, iids: ReadonlySet<number>): Promise<void> {
  const args = ['for-each-ref', '--format=%(refname)', 'refs/merge-requests/']
  const refs = (await runGit(['--git-dir', gitDir, ...args])).split('\n').filter(Boolean)
  const others = refs.filter((ref) => !iids.has(Number(ref.split('/')[2])))
  if (others.length > 0) await deleteRefs(gitDir, others)
}

async function deleteRefs(gitDir: string, refs: string[]): Promise<void> {
  const input = refs.map((ref) => `delete ${ref}\n`).join('')
  await runGit(['--git-dir', gitDir, 'update-ref', '--stdin'], { input })
}

/** Identity and time of trial merges, so that equal ones are equal objects. */
const NOBODY = { name: 'switchyard', email: 'switchyard', date: '@0 +0000' }

/** Writes the merge of two heads as a commit that no branch gets; undefined if they conflict. */
export async function writeTrialMerge(
  gitDir: string,
  { target, source }: { target: string; source: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const tree = await treeOfMerge(gitDir, [target, source], signal)
    const by = { author: NOBODY, committer: NOBODY }
    return await writeCommit(gitDir, { tree, parents: [target, source], message: 'Merge\n', ...by })
  } catch (error) {
    if (error instanceof MergeConflictError) return undefined
    throw error
  }
}

/**
 * The commit on the first-parent line of `target` with which `source` came into it, if it is a merge commit;
 * undefined for a fast-forward. `source` is an ancestor of `target`.
 */
export async function mergeCommitOf(
  gitDir: string,
  { target, source }: { target: string; source: string },
): Promise<string | undefined> {
  const walk = ['rev-list', '--first-parent', '--ancestry-path', '--parents', '--end-of-options']
  const output = await runGit(['--git-dir', gitDir, ...walk, `${source}..${target}`])
  const [commit, first, ...others] = output.trim().split('\n').at(-1)?.split(' ') ?? []
  return commit !== undefined && first !== source && others.includes(source) ? commit : undefined
}
