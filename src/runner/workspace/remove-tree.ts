import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'

import { makeMutable } from './clean-tree.js'

/**
 * Removes what is at `path`, whatever it is, without following links. Directories that were made read-only go too, and
 * files that were made immutable where the runner is root.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await unlink(path) // a file or a link, which is what most are
  } catch (error) {
    if (!isMissing(error)) await removeDirectory(path)
  }
}

/**
 * Large ones by a program that has stopped when it fails: what the call of Node.js began goes on, and would hit what is
 * made there next.
 */
async function removeDirectory(path: string): Promise<void> {
  if (await removeFew(path)) return
  const remove = ['-rf', '--', path]
  if (!(await execa('rm', remove, { reject: false, stdio: 'ignore' })).failed) return
  await makeMutable(path)
  await makeWritable(path)
  await execa('rm', remove, { stdin: 'ignore' })
}

/**
 * Removes what is in a directory, but for the names in `kept`. The directory itself stays, which a container may have
 * mounted.
 */
export async function emptyDirectory(path: string, kept: string[] = []): Promise<void> {
  await chmod(path, 0o755).catch(async (error: unknown) => {
    if (!isRefused(error)) throw error
    await makeMutable(path)
    await chmod(path, 0o755)
  })
  const names = await readdir(path)
  for (const name of names) if (!kept.includes(name)) await removeTree(join(path, name))
}

/** Leaves an empty directory at `components` below `root`, as `makeDirectory` does. */
export async function makeEmptyDirectory(root: string, components: string[]): Promise<void> {
  const path = await makeDirectory(root, components)
  await removeTree(path)
  await mkdir(path)
}

/**
 * Answers the path of `components` below `root`, where a directory is then, with what was in it. What is no directory
 * on the way there, such as a link to somewhere else, is taken away first.
 */
export async function makeDirectory(root: string, components: string[]): Promise<string> {
  let path = root
  for (const component of components) {
    path = join(path, component)
    if (await isDirectory(path)) continue
    await removeTree(path)
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

async function makeWritable(path: string): Promise<void> {
  if (!(await isDirectory(path))) return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(path, entry.name))
  }
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Registrations that are removed here at most: starting a program costs this process about as much. */
const MOST_ENTRIES = 100

/**
 * Removes a directory of few entries, one after the other. False when it has more of them, or something cannot be
 * removed so: then part of it may be gone. Goes from one open directory to the next, as `rm` does, so that no link that
 * somebody puts in the place of one is followed; where there is no /proc to do so, the answer is false.
 */
export async function removeFew(path: string): Promise<boolean> {
  try {
    return await removeSmallDirectory(path, { left: MOST_ENTRIES })
  } catch {
    return false // the program that takes over tells what is wrong
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
