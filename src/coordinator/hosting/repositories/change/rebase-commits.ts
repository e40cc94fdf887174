import { runGit } from '../../../../git/run-git.js'
import { isAncestor } from '../changed-files.js'
import { MergeConflictError } from './errors.js'
import { mergedTree, NOBODY, treeOf } from './merge-trees.js'
import { type Signature, writeCommit } from './write-commit.js'

export interface Rebase {
  /** Head of the source branch. */
  source: string
  /** The commit on which the changes are applied, usually the head of the target branch. */
  onto: string
  committer: Signature
}

interface Replayed {
  sha: string
  parent: string
  author: Signature
  message: string
}

/**
 * Applies the commits that `onto` does not contain on top of it, as `git rebase` does: merge commits are left
 * out, as are changes that `onto` has already. Returns the new head, to which no ref points yet; `source` if it
 * contains `onto`. Throws `MergeConflictError` on conflicts.
 */
export async function rebaseCommits(
  gitDir: string,
  { source, onto, committer }: Rebase,
  signal: AbortSignal,
): Promise<string> {
  if (await isAncestor(gitDir, onto, source, signal)) return source
  let head = onto
  let headTree = await treeOf(gitDir, onto)
  for (const { sha, parent, author, message } of await commitsToReplay(gitDir, { source, onto }, signal)) {
    if (parent === '') throw new MergeConflictError('conflict') // the first commit of another history
    // Git takes the parent of the commit as merge base if both sides have it as parent.
    const ours = await writeCommit(gitDir, {
      tree: headTree,
      parents: [parent],
      message: '',
      author: NOBODY,
      committer: NOBODY,
    })
    const tree = await mergedTree(gitDir, [ours, sha], signal)
    if (tree === headTree && (await treeOf(gitDir, sha)) !== (await treeOf(gitDir, parent))) continue
    head = await writeCommit(gitDir, { tree, parents: [head], message, author, committer })
    headTree = tree
  }
  return head
}

const FIELDS = ['%H', '%P', '%an', '%ae', '%ad', '%B']

/** Oldest first; `parent` is empty for the first commit of a history. */
async function commitsToReplay(
  gitDir: string,
  { source, onto }: Pick<Rebase, 'source' | 'onto'>,
  signal: AbortSignal,
): Promise<Replayed[]> {
  const walk = ['--reverse', '--topo-order', '--no-merges', '--right-only', '--cherry-pick']
  const format = ['-z', '--date=raw', `--format=${FIELDS.join('%x00')}`]
  const range = ['--end-of-options', `${onto}...${source}`]
  const output = await runGit(['--git-dir', gitDir, 'log', ...walk, ...format, ...range], { signal })
  const fields = output.split('\0')
  const commits: Replayed[] = []
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const [sha = '', parent = '', name = '', email = '', date = '', message = ''] = fields.slice(at)
    commits.push({ sha, parent, message, author: { name, email, date: `@${date}` } })
  }
  return commits
}
