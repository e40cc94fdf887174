import { parseTree, type TreeVersion } from '../../../../git/parse-tree.js'
import { readPath } from '../../../../git/read-path.js'
import { type Reading, records } from './reading.js'

/** A commit, and the entries of the folder that it was the last one to change. */
export interface LastCommit {
  id: string
  names: string[]
}

/** In milliseconds. Entries whose commit is older than what git reads in this time have none. */
const MAX_MILLISECONDS = 20_000
/** Commits that are kept in memory. */
const MAX_COMMITS = 100_000
const MAX_TREE_BYTES = 16 * 1024 * 1024

/**
 * The last commit up to `sha` that changed each entry of a folder, as git finds them, the newest first. `folder` has no
 * slash at its end, and is empty for the root. It must exist at `sha`.
 *
 * One `git rev-list` prints the commits that changed anything in the folder, each with the next such commits before it.
 * An entry belongs to the first commit whose parents all have another version of it:
 *
 *     wanted at the commit ──▶ same version at a parent: wanted at that parent
 *                          └─▶ at none: this commit changed it
 */
export async function* lastCommits(
  reading: Reading,
  sha: string,
  folder: string,
): AsyncGenerator<LastCommit> {
  const deadline = AbortSignal.timeout(MAX_MILLISECONDS)
  const limited = { ...reading, signal: AbortSignal.any([reading.signal, deadline]) }
  try {
    yield* new EntrySearch(limited, folder).run(sha)
  } catch (error) {
    if (!deadline.aborted || reading.signal.aborted) throw error
  }
}

class EntrySearch {
  /** Versions of the entries at the start. An entry is only wanted at commits with the same version. */
  private versions = new Map<string, TreeVersion>()
  /** Names by the commit at which they are wanted and which git has not printed yet. */
  private readonly wanted = new Map<string, string[]>()
  /** Parents of the printed commits. */
  private readonly parents = new Map<string, string[]>()
  private left = 0

  constructor(
    private readonly reading: Reading,
    private readonly folder: string,
  ) {}

  async *run(sha: string): AsyncGenerator<LastCommit> {
    this.versions = await this.treeOf(sha)
    this.left = this.versions.size
    let isFirst = true
    const paths = this.folder === '' ? [] : ['--', this.folder]
    const args = ['rev-list', '--parents', sha, ...paths]
    for await (const line of records(this.reading, args, { separator: '\n' })) {
      // Git may have printed many lines before it was stopped.
      this.reading.signal.throwIfAborted()
      const [id = '', ...parents] = line.split(' ')
      this.parents.set(id, parents)
      const names = isFirst ? [...this.versions.keys()] : this.wanted.get(id)
      isFirst = false
      this.wanted.delete(id)
      if (names) yield* this.settle(id, names)
      if (this.left === 0 || this.parents.size >= MAX_COMMITS) return
    }
  }

  /** Finds which of the names the commit has changed, and wants the others at its parents. */
  private async *settle(id: string, names: string[]): AsyncGenerator<LastCommit> {
    const pending = [{ id, names }]
    for (let next = pending.pop(); next; next = pending.pop()) {
      let changed = next.names
      for (const parent of this.parents.get(next.id) ?? []) {
        if (changed.length === 0) break
        const versions = await this.treeOf(parent)
        const isSame = (name: string): boolean => versions.get(name) === this.versions.get(name)
        const same = changed.filter(isSame)
        changed = changed.filter((name) => !isSame(name))
        // Git prints a parent before its child when the clock of a committer was wrong.
        if (this.parents.has(parent)) pending.push({ id: parent, names: same })
        else this.want(parent, same)
      }
      if (changed.length === 0) continue
      this.left -= changed.length
      yield { id: next.id, names: changed }
    }
  }

  private want(id: string, names: string[]): void {
    if (names.length > 0) this.wanted.set(id, [...(this.wanted.get(id) ?? []), ...names])
  }

  /** Empty if the commit does not have the folder. */
  private async treeOf(commit: string): Promise<Map<string, TreeVersion>> {
    const tree = await readPath(this.reading.objects, commit, this.folder, MAX_TREE_BYTES)
    return tree?.type === 'tree' ? parseTree(tree.content) : new Map()
  }
}
