import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { removeTree } from '../workspace/remove-tree.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import { folderSize } from './folder-size.js'

const ENTRY_FILE = 'cache.json'
/** Entries are at `<coordinator>/<store>/<project>/<key>` below the root. */
const DEEPEST = 4

/**
 * Caches of jobs in the data directory of the runner. The modification time of an entry's file is the time of last
 * use. A job that uses a cache has its own link to the archive, so every entry can be removed at any time.
 */
export function cacheTarget(root: string, diskId: string | undefined): CleanupTarget {
  return {
    list: async (signal) => {
      const items: CleanupItem[] = []
      for (const file of await entryFiles(root)) {
        const folder = dirname(file)
        items.push({
          kind: 'cache',
          name: folder,
          bytes: await folderSize(folder, signal),
          lastUsed: (await stat(file)).mtimeMs,
          isInUse: false,
          diskId,
          remove: async () => {
            // The file that names the archive is removed first. Without it, nothing refers to the rest.
            await removeTree(file)
            await removeTree(folder)
            return true
          },
        })
      }
      return items
    },
  }
}

async function entryFiles(folder: string, depth = 0): Promise<string[]> {
  const entries = await entriesOf(folder)
  if (entries.some((entry) => entry.name === ENTRY_FILE)) return [join(folder, ENTRY_FILE)]
  if (depth === DEEPEST) return []
  const folders = entries.filter((entry) => entry.isDirectory())
  return (await Promise.all(folders.map(({ name }) => entryFiles(join(folder, name), depth + 1)))).flat()
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
