import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Whether a file system call failed because there is no such file. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** None for a folder that is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}

/** The text of a file; undefined when there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

/** Whether the file or folder was there, older, and is removed now. */
export async function removeOlder(path: string, olderThan: Date): Promise<boolean> {
  try {
    const { mtime } = await stat(path)
    if (mtime >= olderThan) return false
    await rm(path, { recursive: true })
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}

/** Removes what is older in a folder, with all that is in it. Answers how much that was. */
export async function removeOlderIn(folder: string, olderThan: Date): Promise<number> {
  let removed = 0
  for (const name of await namesIn(folder)) {
    if (await removeOlder(join(folder, name), olderThan)) removed++
  }
  return removed
}

export interface ReplaceOptions {
  /** Whether the text is to outlive the machine's sudden end, too. */
  flush?: boolean
  /** Sees the new file before it takes its place; false gives that up. */
  lastLook?: (temporary: string) => Promise<boolean>
}

/**
 * Puts a text in the place of a file, as a whole or not at all; nobody but its owner can read it. Answers whether it was
 * done.
 */
export async function replaceFile(
  file: string,
  text: string,
  { flush = false, lastLook = async () => true }: ReplaceOptions = {},
): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush })
    const isWanted = await lastLook(temporary)
    await (isWanted ? rename(temporary, file) : rm(temporary))
    return isWanted
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
