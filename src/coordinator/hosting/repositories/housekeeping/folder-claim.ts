import { open, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'switchyard-tending'

/**
 * Does `work` unless somebody else does the like in this folder: of several coordinators with one data folder, one. Who is
 * at work says so again and again; what a killed one has claimed is free again after `staleAfter` milliseconds. Answers
 * whether it was done.
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

/** Of a claim, before it would be stale. */
const SIGNS_OF_LIFE = 5

/** Without success the claim grows stale, and another does the same at worst, which nobody minds. */
async function renew(file: string): Promise<void> {
  const now = new Date()
  await utimes(file, now, now).catch(() => undefined)
}

async function take(file: string, staleAfter: number): Promise<boolean> {
  try {
    await (await open(file, 'wx')).close()
    return true
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const taken = await timeOf(file)
  // The next turn takes it: of several who find it stale now, none takes it from another.
  if (taken !== undefined && taken < Date.now() - staleAfter) await rm(file, { force: true })
  return false
}

async function timeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
