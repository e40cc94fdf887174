import { constants } from 'node:fs'
import { open, readdir, rmdir, unlink } from 'node:fs/promises'

/** Entries that are removed here at most: starting a program costs this process about as much. */
const MOST_ENTRIES = 100

/**
 * Removes a directory of few entries, one after the other. False when it has more of them, or something cannot be
 * removed so: then part of it may be gone. Goes from one open directory to the next, as `rm` does, so that no link that
 * somebody puts in the place of one is followed; where there is no /proc to do so, the answer is false.
 */
export async function removeFew(path: string): Promise<boolean> {
  try {
    return await removeDirectory(path, { left: MOST_ENTRIES })
  } catch {
    return false // the program that takes over tells what is wrong
  }
}

async function removeDirectory(path: string, budget: { left: number }): Promise<boolean> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    if (!(await removeInside(`/proc/self/fd/${directory.fd}`, budget))) return false
  } finally {
    await directory.close()
  }
  await rmdir(path)
  return true
}

async function removeInside(directory: string, budget: { left: number }): Promise<boolean> {
  const entries = await readdir(directory, { withFileTypes: true })
  budget.left -= entries.length
  if (budget.left < 0) return false
  for (const entry of entries) {
    const path = `${directory}/${entry.name}`
    if (!entry.isDirectory()) await unlink(path)
    else if (!(await removeDirectory(path, budget))) return false
  }
  return true
}
