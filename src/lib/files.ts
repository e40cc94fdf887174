import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'

/** The text of a file; undefined when there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
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
