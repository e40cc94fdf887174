import { ZERO_ID } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'
import type { Repositories } from '../repositories.js'
import { RefsMovedError } from './errors.js'
import { treeOf } from './merge-trees.js'
import { type Signature, writeCommit } from './write-commit.js'
import { type FileAction, writeTree } from './write-tree.js'

/** The only branch of the repository of a snippet or wiki. */
export const MAIN = 'main'

const REF = `refs/heads/${MAIN}`

/** Head of the branch; undefined if there is none. */
export async function headOfMain(repositories: Repositories, id: number): Promise<string | undefined> {
  return (await repositories.resolveRef(id, REF))?.sha
}

export interface MainCommit {
  /** The head on which the actions are based; undefined for the first commit. */
  before: string | undefined
  author: Signature
  message: string
  /** Throws if the files of the new commit are not allowed. */
  check?: (sha: string) => Promise<void>
  signal: AbortSignal
}

/**
 * Commits file changes to the only branch of a repository that is not that of a project: without rules, pipelines and
 * events of pushes. Returns the new head, which is the old one if nothing changes. Throws `FileChangeError` for a change
 * that is not possible, and `RefsMovedError` if another commit was faster.
 */
export async function commitToMain(
  repositories: Repositories,
  id: number,
  actions: FileAction[],
  { before, author, message, check, signal }: MainCommit,
): Promise<string> {
  const gitDir = repositories.path(id)
  const reading = repositories.reading(id, signal)
  const head = await repositories.withSlot(
    id,
    'writing',
    async () => {
      const inSlot = { ...reading, acquireSlot: () => Promise.resolve(() => undefined) }
      const tree = await writeTree(inSlot, before, actions)
      if (before !== undefined && tree === (await treeOf(gitDir, before))) return before
      const parents = before === undefined ? [] : [before]
      return writeCommit(gitDir, { tree, parents, message, author, committer: author })
    },
    signal,
  )
  if (head === before) return head
  await check?.(head)
  try {
    await runGit(['--git-dir', gitDir, 'update-ref', REF, head, before ?? ZERO_ID])
  } catch (error) {
    if ((await headOfMain(repositories, id)) === before) throw error
    throw new RefsMovedError([REF], { cause: error })
  }
  return head
}
