import { chmod, lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes what is at `path`, whatever it is, without following links. Directories that were made read-only go too. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!isRefused(error)) throw error
    await makeWritable(path)
    await rm(path, { recursive: true, force: true })
  }
}

/** Removes what is in a directory and keeps the directory itself, which a container may have mounted. */
export async function emptyDirectory(path: string): Promise<void> {
  await chmod(path, 0o755)
  const names = await readdir(path)
  for (const name of names) await removeTree(join(path, name))
}

/**
 * Leaves an empty directory at `components` below `root`. What is no directory on the way there, such as a link to
 * somewhere else, is taken away first.
 */
export async function makeEmptyDirectory(root: string, components: string[]): Promise<void> {
  let path = root
  for (const component of components) {
    path = join(path, component)
    if (!(await isDirectory(path))) await removeTree(path)
  }
  await removeTree(path)
  await mkdir(path, { recursive: true })
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
  const stats = await lstat(path)
  if (!stats.isDirectory()) return
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(path, entry.name))
  }
}

function isRefused(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}
