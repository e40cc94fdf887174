import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { removeTree } from '../workspace/remove-tree.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import { folderSize } from './folder-size.js'

const ENTRY_FILE = 'cache.json'
/** `<coordinator>/<store>/<project>/<key>` lies below the root. */
const DEEPEST = 4

/**
 * Caches of jobs in the runner's folder. The time of an entry's file is when the cache was used last; a job that has
 * begun to use one has a name of its own for the archive, so none is in anyone's way.
 */
export function cacheTarget(root: string, diskId: string | undefined): CleanupTarget {
  return {
    list: async (signal) => {
      const things: CleanupItem[] = []
      for (const file of await entryFiles(root)) {
        const folder = dirname(file)
        things.push({
          kind: 'cache',
          name: folder,
          bytes: await folderSize(folder, signal),
          lastUsed: (await stat(file)).mtimeMs,
          isInUse: false,
          diskId,
          remove: async () => {
            // First what names the archive: without it the rest is nothing that anyone would look for.
            await removeTree(file)
            await removeTree(folder)
            return true
          },
        })
      }
      return things
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
