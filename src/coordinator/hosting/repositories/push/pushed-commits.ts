import { isObjectId } from '../../../../git/names.js'
import { runGit } from '../../../../git/run-git.js'

/** File changes of a commit, compared with its first parent. */
interface FileChanges {
  added: string[]
  modified: string[]
  removed: string[]
}

export interface PushedCommits {
  /** The newest commits, in order from oldest to newest. */
  commits: (FileChanges & { id: string })[]
  total: number
}

/** Commits reachable from `to` but from none of `known`, at most `most`. All are commit IDs. */
export async function pushedCommits(
  gitDir: string,
  { to, known, most }: { to: string; known: readonly string[]; most: number },
): Promise<PushedCommits> {
  const total = await countPushedCommits(gitDir, { to, known })
  if (total === 0) return { commits: [], total }
  const revisions = revisionsOf({ to, known })
  const newest = await runGit(['--git-dir', gitDir, 'rev-list', `--max-count=${most}`, ...revisions])
  const ids = newest.split('\n').filter((id) => id !== '')
  const changes = await fileChanges(gitDir, ids)
  const commits = ids.map((id) => ({ id, ...(changes.get(id) ?? noChanges()) }))
  return { commits: commits.reverse(), total }
}

/**
 * Number of commits reachable from `to` but from none of `known`. All are commit IDs; anything else gives 0.
 */
export async function countPushedCommits(
  gitDir: string,
  range: { to: string; known: readonly string[] },
): Promise<number> {
  if (![range.to, ...range.known].every(isObjectId)) return 0
  return Number(await runGit(['--git-dir', gitDir, 'rev-list', '--count', ...revisionsOf(range)]))
}

function revisionsOf({ to, known }: { to: string; known: readonly string[] }): string[] {
  return [to, ...known.map((id) => `^${id}`), '--']
}

async function fileChanges(gitDir: string, ids: string[]): Promise<Map<string, FileChanges>> {
  const args = ['diff-tree', '--stdin', '-r', '-z', '--root', '--name-status', '--no-renames']
  const output = await runGit(['--git-dir', gitDir, ...args, '--diff-merges=first-parent'], {
    input: ids.map((id) => `${id}\n`).join(''),
  })
  return parseChanges(output.split('\0'))
}

/** Fields are a commit ID, then a letter and a path per file, then the next commit ID. */
function parseChanges(fields: string[]): Map<string, FileChanges> {
  const changes = new Map<string, FileChanges>()
  let current = noChanges()
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? ''
    if (isObjectId(field)) {
      current = noChanges()
      changes.set(field, current)
    } else if (field !== '') {
      at++
      listFor(field, current).push(fields[at] ?? '')
    }
  }
  return changes
}

function listFor(letter: string, changes: FileChanges): string[] {
  if (letter === 'A') return changes.added
  return letter === 'D' ? changes.removed : changes.modified
}

function noChanges(): FileChanges {
  return { added: [], modified: [], removed: [] }
}
