import { lstat, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { isMissingFile } from '../../../lib/files.js'

/** In the shared folder: files that no row named when their number was given to a new row. Nothing reads or deletes them. */
export const SET_ASIDE = 'set-aside'

/**
 * Moves those of the paths that exist, files or folders in the shared folder, into a new folder below `SET_ASIDE`.
 * Returns that folder; undefined if none of them exists.
 */
export async function setAside(sharedDir: string, paths: readonly string[]): Promise<string | undefined> {
  const folder = join(sharedDir, SET_ASIDE, new Date().toISOString().replaceAll(':', '-'))
  let isUsed = false
  for (const path of paths) {
    if (await moveInto(folder, sharedDir, path)) isUsed = true
  }
  return isUsed ? folder : undefined
}

async function moveInto(folder: string, sharedDir: string, path: string): Promise<boolean> {
  const from = join(sharedDir, path)
  const to = join(folder, path)
  try {
    await lstat(from)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await rename(from, to)
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}
