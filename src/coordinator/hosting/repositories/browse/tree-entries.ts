import { unreadableObject } from '../../../../git/errors.js'
import { isTreePath } from '../../../../git/names.js'
import { allRecords, type Reading, records } from './reading.js'

export interface TreeEntry {
  /**
   * Six octal digits: `100644`, `100755`, `120000` for a symbolic link, `040000` for a folder, `160000` for a
   * submodule.
   */
  mode: string
  type: 'blob' | 'tree' | 'commit'
  id: string
  /** Path from the root of the repository. */
  path: string
  /** Size of a file, in bytes. */
  size: number
}

/** The entry at a path of a commit; undefined if there is none. */
export async function findEntry(reading: Reading, sha: string, path: string): Promise<TreeEntry | undefined> {
  return (await findEntries(reading, sha, [path])).get(path)
}

/** Existing entries among the paths, by path; invalid paths are ignored. */
export async function findEntries(
  reading: Reading,
  sha: string,
  paths: string[],
): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>()
  for (const some of inArguments(paths.filter(isTreePath))) {
    const found = await allRecords(reading, ['ls-tree', '-l', '-t', '-z', '--full-tree', sha, '--', ...some])
    for (const record of found) {
      const entry = parseEntry(record, '')
      entries.set(entry.path, entry)
    }
  }
  return entries
}

/**
 * Entries of a tree by its ID, in git's order; `prefix` is the path of the folder with a trailing slash, or
 * empty.
 */
export async function* treeEntries(
  reading: Reading,
  treeId: string,
  { prefix, isRecursive }: { prefix: string; isRecursive: boolean },
): AsyncGenerator<TreeEntry> {
  const args = ['ls-tree', '-z', '--full-tree', ...(isRecursive ? ['-r', '-t'] : []), treeId]
  for await (const record of records(reading, args)) yield parseEntry(record, prefix)
}

/** `<mode> <type> <id>[ <size>]\t<path>`. */
function parseEntry(record: string, prefix: string): TreeEntry {
  const tab = record.indexOf('\t')
  const [mode = '', type, id = '', size = '0'] = record.slice(0, tab).split(/ +/)
  if (size === 'BAD') throw unreadableObject(id)
  return {
    mode,
    id,
    type: type === 'tree' || type === 'commit' ? type : 'blob',
    path: prefix + record.slice(tab + 1),
    size: size === '-' ? 0 : Number(size),
  }
}

/** Total length of arguments that a process safely accepts, in bytes. */
const ARGUMENT_BYTES = 64 * 1024

function inArguments(paths: string[]): string[][] {
  const lists: string[][] = []
  let bytes = Infinity
  for (const path of new Set(paths)) {
    bytes += Buffer.byteLength(path) + 1
    if (bytes > ARGUMENT_BYTES) {
      lists.push([])
      bytes = 0
    }
    lists.at(-1)?.push(path)
  }
  return lists
}
