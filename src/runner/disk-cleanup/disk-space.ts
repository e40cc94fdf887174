import { stat, statfs } from 'node:fs/promises'

import type { Disk } from './usage.js'

/** The disk that `path` is on; undefined when this machine has no such path. */
export async function diskOf(path: string): Promise<Disk | undefined> {
  try {
    const [{ dev }, { bsize, blocks, bfree, bavail }] = await Promise.all([stat(path), statfs(path)])
    // What is kept for root counts as neither: `df` says it so, too.
    const sizeBytes = (blocks - bfree + bavail) * bsize
    return { id: String(dev), path, sizeBytes, freeBytes: bavail * bsize }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Each disk once. */
export function differentDisks(disks: (Disk | undefined)[]): Disk[] {
  const found = disks.filter((disk) => disk !== undefined)
  return [...new Map(found.map((disk) => [disk.id, disk])).values()]
}
