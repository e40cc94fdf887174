import { open, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

import { isExistingFile, isMissingFile } from '../../../../lib/files.js'

const NAME = 'switchyard-tending'

/**
 * Runs `work` unless another coordinator with the same data folder does the same in this folder. The claim is
 * renewed regularly, and expires `staleAfter` milliseconds after a coordinator was killed. Returns whether
 * `work` has run.
 */
export async function claimFolder(
  folder: string,
  staleAfter: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const file = join(folder, NAME)
  if (!(await take(file, staleAfter))) return false
  const renewal = setInterval(() => void renew(file), staleAfter / SIGNS_OF_LIFE)
  try {
    await work()
    return true
  } finally {
    clearInterval(renewal)
    await rm(file, { force: true })
  }
}

/** Number of renewals before a claim would expire. */
const SIGNS_OF_LIFE = 5

/** If renewal fails, the claim expires. At worst another coordinator repeats the work, which is harmless. */
async function renew(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => undefined)
}

async function take(file: string, staleAfter: number): Promise<boolean> {
  try {
    await (await open(file, 'wx')).close()
    return true
  } catch (error) {
    if (!isExistingFile(error)) throw error
  }
  const taken = await timeOf(file)
  // The next run can claim it. Deleting a stale claim does not take it, so several coordinators cannot hold
  // it at once.
  if (taken !== undefined && taken < Date.now() - staleAfter) await rm(file, { force: true })
  return false
}

async function timeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}
