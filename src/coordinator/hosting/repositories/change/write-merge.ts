import { isAncestor, mergeBase } from '../changed-files.js'
import { MergeConflictError, NotFastForwardError } from './errors.js'
import { mergedTree, treeOf } from './merge-trees.js'
import { type Signature, writeCommit } from './write-commit.js'

/**
 * `merge`: always a merge commit; `rebase_merge`: a merge commit, if the source contains the target; `ff`: a
 * fast-forward only.
 */
type MergeMethod = 'merge' | 'rebase_merge' | 'ff'

export interface NewMerge {
  /** Head of the target branch. */
  target: string
  /** Head of the source branch, in the same repository. */
  source: string
  method: MergeMethod
  /** Message of the merge commit. */
  message: string
  /** Joins the commits of the source into one. */
  squash?: { message: string; author: Signature } | undefined
  /** The user who merges: committer of both commits, and author of the merge commit. */
  committer: Signature
}

export interface WrittenMerge {
  /** New head of the target branch. */
  head: string
  /** Undefined for a fast-forward. */
  mergeCommit: string | undefined
  /** Undefined without squash. */
  squashCommit: string | undefined
}

/**
 * Writes the commits of a merge, to which no ref points yet. Throws `MergeConflictError` on conflicts, also for
 * branches without common history, and if the target contains the source already. Throws
 * `NotFastForwardError` if the method requires the source to contain the target.
 */
export async function writeMerge(
  gitDir: string,
  { target, source, method, message, squash, committer }: NewMerge,
  signal: AbortSignal,
): Promise<WrittenMerge> {
  if (await isAncestor(gitDir, source, target, signal)) throw new MergeConflictError('empty')
  const isForward = await isAncestor(gitDir, target, source, signal)
  if (method !== 'merge' && !isForward) throw new NotFastForwardError()
  const tree = isForward ? await treeOf(gitDir, source) : await treeOfMerge(gitDir, [target, source], signal)
  const write = (parents: string[], by: Signature, text: string) =>
    writeCommit(gitDir, { tree, parents, message: text, author: by, committer })
  const squashCommit = squash && (await write([target], squash.author, squash.message))
  const last = squashCommit ?? source
  if (method === 'ff') return { head: last, mergeCommit: undefined, squashCommit }
  const mergeCommit = await write([target, last], committer, message)
  return { head: mergeCommit, mergeCommit, squashCommit }
}

/** Throws `MergeConflictError` if the commits conflict or have no common history. */
export async function treeOfMerge(
  gitDir: string,
  sides: readonly [string, string],
  signal: AbortSignal,
): Promise<string> {
  if ((await mergeBase(gitDir, ...sides)) === undefined) throw new MergeConflictError('conflict')
  return mergedTree(gitDir, sides, signal)
}
