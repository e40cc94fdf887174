import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const BLOCK = 512
const AT_ONCE = 32

/**
 * The space in bytes that a folder takes on its disk. Does not follow symbolic links, and counts hard links to one
 * file once. Files that disappear while it counts are ignored. Throws the reason of the signal if it aborts.
 */
export async function folderSize(path: string, signal: AbortSignal): Promise<number> {
  const seen = new Set<string>()
  const open = [path]
  let total = 0
  while (open.length > 0) {
    signal.throwIfAborted()
    const sizes = await Promise.all(open.splice(-AT_ONCE).map((each) => measure(each, seen, open)))
    total += sizes.reduce((sum, size) => sum + size, 0)
  }
  return total
}

async function measure(path: string, seen: Set<string>, open: string[]): Promise<number> {
  const found = await unlessGone(() => lstat(path))
  if (!found) return 0
  if (found.isDirectory()) {
    const names = (await unlessGone(() => readdir(path))) ?? []
    open.push(...names.map((name) => join(path, name)))
  } else if (found.nlink > 1) {
    const inode = `${found.dev}:${found.ino}`
    if (seen.has(inode)) return 0
    seen.add(inode)
  }
  return found.blocks * BLOCK
}

async function unlessGone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
