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

/** Whether a file system call failed because the file does not exist. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Whether a file could not be created because there is one already. */
export function isExistingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** The names in a folder. Empty if the folder does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}

/** Bytes of a file. Undefined if it does not exist. */
export async function sizeIfThere(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

/** The text of a file. Undefined if it does not exist. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw error
  }
}

/** Removes a file or folder older than `olderThan`. Returns whether it was removed. */
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

/** Removes the older entries of a folder, with their content. Returns how many. */
export async function removeOlderIn(
  folder: string,
  olderThan: Date,
  isConcerned: (name: string) => boolean = () => true,
): Promise<number> {
  let removed = 0
  for (const name of (await namesIn(folder)).filter(isConcerned)) {
    if (await removeOlder(join(folder, name), olderThan)) removed++
  }
  return removed
}

/** Removes what killed calls of `replaceFile` and `createFile` left in a folder. Returns how many files. */
export function removeUnfinished(folder: string, olderThan: Date): Promise<number> {
  return removeOlderIn(folder, olderThan, (name) => UNFINISHED.test(name))
}

/** A file that is written before it gets the name of `file`. */
function unfinished(file: string): string {
  return `${file}.${randomBytes(6).toString('hex')}.tmp`
}

const UNFINISHED = /\.[0-9a-f]{12}\.tmp$/

export interface ReplaceOptions {
  /** Permissions; by default, only the owner can read and write the file. */
  mode?: number
  /** Whether the text must survive a power failure. */
  flush?: boolean
  /** Called with the new file before it replaces the old one. Returning false cancels the replacement. */
  lastLook?: (temporary: string) => Promise<boolean>
}

/** Replaces the content of a file atomically. Returns whether it was replaced. */
export async function replaceFile(
  file: string,
  text: string | Uint8Array,
  { mode = 0o600, flush = false, lastLook = async () => true }: ReplaceOptions = {},
): Promise<boolean> {
  const temporary = unfinished(file)
  try {
    await writeFile(temporary, text, { mode, flag: 'wx', flush })
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
 * Creates a file atomically and flushes it to disk. Only its owner can read it. Returns false, and changes nothing,
 * if the file exists.
 */
export async function createFile(file: string, text: string): Promise<boolean> {
  const temporary = unfinished(file)
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await linkOrCopy(temporary, file)
    await flushFolder(dirname(file))
    return true
  } catch (error) {
    if (isExistingFile(error)) return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Unlike a rename, this does not replace a file of another process. */
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

/** Errors of a file system without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** A new name in a folder survives a power failure only after the folder is flushed. */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}
