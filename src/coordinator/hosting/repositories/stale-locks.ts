import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { chunks } from '../../../lib/chunks.js'
import { isMissingFile, namesIn, removeOlder } from '../../../lib/files.js'
import { MINUTE } from '../../../lib/time-units.js'

/**
 * Age in milliseconds from which a lock file belongs to a git that was killed. Git holds one while it writes a ref, or
 * all packed refs: seconds at most.
 */
const STALE_AFTER = 10 * MINUTE
const AT_ONCE = 100
/** Codes of errors that say that there can be no file of this name. */
const NO_FILE = new Set<unknown>(['ENOTDIR', 'ENAMETOOLONG'])

/**
 * Deletes lock files that a killed git has left for these refs, and for the packed refs. As long as they exist, git
 * refuses to move these refs. They belong to no process or host, so it does not matter where git was killed.
 */
export async function deleteStaleLocksOf(gitDir: string, refs: readonly string[]): Promise<void> {
  await deleteStale(gitDir, ['packed-refs.lock', ...refs.map((ref) => `${ref}.lock`)])
}

/** Deletes all lock files in the repository, and of its refs, that a killed git has left. Returns their number. */
export async function deleteStaleLocks(gitDir: string): Promise<number> {
  const ofRefs = (await namesBelow(join(gitDir, 'refs'))).map((name) => join('refs', name))
  const names = [...(await namesIn(gitDir)), ...ofRefs]
  return deleteStale(
    gitDir,
    names.filter((name) => name.endsWith('.lock')),
  )
}

async function deleteStale(gitDir: string, names: readonly string[]): Promise<number> {
  const before = new Date(Date.now() - STALE_AFTER)
  let deleted = 0
  for (const some of chunks(names, AT_ONCE)) {
    const results = await Promise.all(some.map((name) => deleteOlder(join(gitDir, name), before)))
    deleted += results.filter(Boolean).length
  }
  return deleted
}

/** False for a ref that cannot exist: below another ref, or with too long a name. Git says why it refuses it. */
async function deleteOlder(path: string, before: Date): Promise<boolean> {
  try {
    return await removeOlder(path, before)
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FILE.has(error.code)) return false
    throw error
  }
}

async function namesBelow(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true })
  } catch (error) {
    if (isMissingFile(error)) return [] // a folder without refs is deleted while its parents are read
    throw error
  }
}
