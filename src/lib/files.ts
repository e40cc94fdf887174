import { randomBytes } from 'node:crypto'
import {
  constants,
  copyFile,
  link,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
    if (flush) await flushFolder(dirname(file))
    return isWanted
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Creates a file with a text, as a whole or not at all, on the disk when it returns; only its owner can read it. Returns
 * false, and changes nothing, when the file exists.
 */
export async function createFile(file: string, text: string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await linkOrCopy(temporary, file)
    await flushFolder(dirname(file))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Unlike a rename, this does not replace the file of another process. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!hasNoLinks(error)) throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

function hasNoLinks(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_LINKS.has(String(error.code))
}

/** Of a file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** A new name in a folder survives a power cut only once the folder is flushed. */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
