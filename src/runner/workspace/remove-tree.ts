import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { makeMutable } from './clean-tree.js'

/**
 * Removes the file or directory at `path` without following links. Read-only directories are removed too, and
 * immutable files if the runner is root. When `signal` aborts, a part of it is left.
 */
export async function removeTree(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  try {
    await unlink(path) // a file or a link, which is the most frequent case
  } catch (error) {
    if (!isMissing(error)) await removeDirectory(path, signal)
  }
}

/**
 * Large directories are removed by a separate program, which has stopped when it fails. A call of Node.js would
 * continue in the background and affect files that are created there next.
 */
async function removeDirectory(path: string, signal?: AbortSignal): Promise<void> {
  if (await removeFew(path)) return
  const remove = ['-rf', '--', path]
  const { execa } = await import('execa')
  const until = signal ? { cancelSignal: signal } : {}
  if (!(await execa('rm', remove, { reject: false, stdio: 'ignore', ...until })).failed) return
  signal?.throwIfAborted()
  await makeMutable(path, signal)
  await makeWritable(path, signal)
  await execa('rm', remove, { stdin: 'ignore', ...until })
}

/**
 * Removes the content of a directory, except for the names in `kept`. The directory itself stays, because a
 * container may have mounted it. When `signal` aborts, a part of it is left.
 */
export async function emptyDirectory(
  path: string,
  { kept = [], signal }: { kept?: string[]; signal?: AbortSignal } = {},
): Promise<void> {
  await chmod(path, 0o755).catch(async (error: unknown) => {
    if (!isRefused(error)) throw error
    await makeMutable(path, signal)
    await chmod(path, 0o755)
  })
  const names = await readdir(path)
  for (const name of names) if (!kept.includes(name)) await removeTree(join(path, name), signal)
}

/** Creates an empty directory at `components` below `root`, like `createDirectory`. */
export async function createEmptyDirectory(
  root: string,
  components: string[],
  signal: AbortSignal,
): Promise<void> {
  const path = await createDirectory(root, components, signal)
  await removeTree(path, signal)
  await mkdir(path)
}

/**
 * Creates a directory at `components` below `root` unless it exists, and returns its path. An existing directory
 * keeps its content. Anything on the path that is not a directory, such as a link to another place, is removed
 * first.
 */
export async function createDirectory(
  root: string,
  components: string[],
  signal: AbortSignal,
): Promise<string> {
  let path = root
  for (const component of components) {
    path = join(path, component)
    if (await isDirectory(path)) continue
    await removeTree(path, signal)
    await mkdir(path)
  }
  return path
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    const stats = await lstat(path)
    return stats.isDirectory()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function makeWritable(path: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  if (!(await isDirectory(path))) return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(path, entry.name), signal)
  }
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Maximum number of entries that are removed here. Starting a program costs this process about as much. */
const MAX_ENTRIES = 100

/**
 * Removes a directory with few entries, one after the other. Returns false if there are more, or if something
 * cannot be removed in this way. A part of the directory may be removed then. Like `rm`, goes from one open
 * directory to the next, so that it follows no link that replaces a directory in the meantime. Without /proc this
 * is not possible, and the result is false.
 */
export async function removeFew(path: string): Promise<boolean> {
  try {
    return await removeSmallDirectory(path, { left: MAX_ENTRIES })
  } catch {
    return false // the program that takes over reports the error
  }
}

async function removeSmallDirectory(path: string, budget: { left: number }): Promise<boolean> {
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
    else if (!(await removeSmallDirectory(path, budget))) return false
  }
  return true
}
