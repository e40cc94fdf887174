import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'switchyard-tending'

/**
 * Does `work` unless somebody else does the like in this folder: of several coordinators with one data folder, one. What
 * a killed one has claimed is free again after `staleAfter` milliseconds. Answers whether it was done.
 */
export async function claimFolder(
  folder: string,
  staleAfter: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const file = join(folder, NAME)
  if (!(await take(file, staleAfter))) return false
  try {
    await work()
    return true
  } finally {
    await rm(file, { force: true })
  }
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
