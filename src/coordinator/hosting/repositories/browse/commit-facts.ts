import { allRecords, type Reading, records } from './reading.js'

export interface Stats {
  additions: number
  deletions: number
  total: number
}

/** Marks the line of a commit in the output, before the lines of its files. */
const MARK = 'commit '

/** Lines that each commit adds and deletes, compared with its first parent. */
export async function statsOf(reading: Reading, ids: string[]): Promise<Map<string, Stats>> {
  const stats = new Map<string, Stats>()
  let current: Stats | undefined
  const args = ['log', '--no-walk=unsorted', '--stdin', `--format=${MARK}%H`, '--numstat']
  const options = { input: ids.join('\n') + '\n', separator: '\n' as const }
  if (ids.length === 0) return stats
  for await (const line of records(reading, [...args, '--diff-merges=first-parent'], options)) {
    if (line.startsWith(MARK)) {
      current = { additions: 0, deletions: 0, total: 0 }
      stats.set(line.slice(MARK.length), current)
    } else if (current) addLine(current, line)
  }
  return stats
}

/** `<added>\t<deleted>\t<path>`; `-` for binary files. */
function addLine(stats: Stats, line: string): void {
  const [added = '', deleted = ''] = line.split('\t')
  stats.additions += Number.parseInt(added, 10) || 0
  stats.deletions += Number.parseInt(deleted, 10) || 0
  stats.total = stats.additions + stats.deletions
}

/** Trailers (`Key: value` lines at the end of the message) by commit; a key may occur more than once. */
export async function trailersOf(reading: Reading, ids: string[]): Promise<Map<string, [string, string][]>> {
  if (ids.length === 0) return new Map()
  const trailers = '%(trailers:only=true,unfold=true,separator=%x1f,key_value_separator=%x1e)'
  const args = ['log', '--no-walk=unsorted', '--stdin', '-z', `--format=%H%x1f${trailers}`]
  const found = await allRecords(reading, args, { input: ids.join('\n') + '\n' })
  return new Map(found.map(parseTrailers))
}

function parseTrailers(record: string): [string, [string, string][]] {
  const [id = '', ...pairs] = record.split('\x1f')
  return [
    id,
    pairs
      .filter((pair) => pair.includes('\x1e'))
      .map((pair): [string, string] => {
        const [key = '', value = ''] = pair.split('\x1e')
        return [key, value.trim()]
      }),
  ]
}

export interface NamedRef {
  type: 'branch' | 'tag'
  name: string
}

/** Branches and tags that contain the commit, branches first, by name. */
export async function refsContaining(
  reading: Reading,
  sha: string,
  kinds: NamedRef['type'][],
): Promise<NamedRef[]> {
  const folders = { branch: 'refs/heads/', tag: 'refs/tags/' }
  const args = [
    'for-each-ref',
    '--format=%(refname)',
    `--contains=${sha}`,
    ...kinds.map((kind) => folders[kind]),
  ]
  const names = await allRecords(reading, args, { separator: '\n' })
  return names.map((full) => {
    const type = full.startsWith(folders.branch) ? 'branch' : 'tag'
    return { type, name: full.slice(folders[type].length) }
  })
}
