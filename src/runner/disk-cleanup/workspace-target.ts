import { randomBytes } from 'node:crypto'
import { readdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { removeTree } from '../workspace/remove-tree.js'
import type { Claims } from './claims.js'
import type { CleanupItem, CleanupTarget } from './cleanup-target.js'
import { folderSize } from './folder-size.js'
import type { LruIndex } from './lru-index.js'
import { workspaceKey } from './workspace-key.js'

export interface WorkspaceTargetParts {
  /** Contains `<registration>/<concurrency number>/<workspace>`. */
  root: string
  diskId: string | undefined
  claims: Claims
  index: LruIndex
  /** Host paths that containers have mounted. */
  mountedPaths: () => Promise<string[]>
}

const REMOVED = '.removed-'

/** Workspaces: the sources, their mirror, and the files that jobs left in them. */
export function workspaceTarget(parts: WorkspaceTargetParts): CleanupTarget {
  return {
    list: async (signal) => {
      const mounted = await parts.mountedPaths()
      const items: CleanupItem[] = []
      for (const path of await workspacesBelow(parts.root)) {
        if (path.includes(REMOVED)) await removeTree(path)
        else items.push(await describe(parts, path, mounted, signal))
      }
      return items
    },
  }
}

async function describe(
  parts: WorkspaceTargetParts,
  path: string,
  mounted: string[],
  signal: AbortSignal,
): Promise<CleanupItem> {
  const { index, claims, diskId } = parts
  const key = workspaceKey(path)
  const isMounted = mounted.some((each) => each === path || each.startsWith(`${path}/`))
  return {
    kind: 'workspace',
    name: path,
    bytes: await folderSize(path, signal),
    lastUsed: index.lastUse('workspaces', key) ?? (await stat(path)).mtimeMs,
    isInUse: isMounted || claims.isUsed(key),
    diskId,
    remove: () => claims.unlessUsed(key, () => removeWorkspace(path)),
  }
}

/** Renames the workspace first, which is atomic, so that no job finds a partly removed workspace. */
async function removeWorkspace(path: string): Promise<void> {
  const removed = join(dirname(path), `${REMOVED}${randomBytes(6).toString('hex')}`)
  await rename(path, removed)
  await removeTree(removed)
}

async function workspacesBelow(root: string): Promise<string[]> {
  const entries = await foldersIn(root)
  const numbers = (await Promise.all(entries.map(foldersIn))).flat()
  return (await Promise.all(numbers.map(foldersIn))).flat()
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
