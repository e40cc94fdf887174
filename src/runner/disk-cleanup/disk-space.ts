import { stat, statfs } from 'node:fs/promises'

import type { Disk } from './usage.js'

/** The disk that contains `path`. Undefined if this machine has no such path. */
export async function diskOf(path: string): Promise<Disk | undefined> {
  try {
    const [{ dev }, { bsize, blocks, bfree, bavail }] = await Promise.all([stat(path), statfs(path)])
    // Blocks reserved for root count as neither used nor free, as in `df`.
    const sizeBytes = (blocks - bfree + bavail) * bsize
    return { id: String(dev), path, sizeBytes, freeBytes: bavail * bsize }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The disks without duplicates. */
export function differentDisks(disks: (Disk | undefined)[]): Disk[] {
  const found = disks.filter((disk) => disk !== undefined)
  return [...new Map(found.map((disk) => [disk.id, disk])).values()]
}
