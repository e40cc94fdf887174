import { constants } from 'node:fs'
import { lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import { extract } from 'tar-stream'

import { isMissingFile } from '../../lib/files.js'
import { type CreatedFile, MAX_MARKS } from './workspace.js'

/**
 * The regular files in a directory that a job can write, at most `MAX_MARKS`. No link is followed. Empty if the job has
 * removed or replaced the directory.
 */
export async function readCreatedFiles(directory: string, signal: AbortSignal): Promise<CreatedFile[]> {
  const found: CreatedFile[] = []
  if (!(await isDirectory(directory))) return found
  for await (const { name } of await opendir(directory)) {
    signal.throwIfAborted()
    if (found.length === MAX_MARKS) break
    const file = await lstat(join(directory, name))
    if (file.isFile()) found.push({ name, createdAt: file.mtimeMs })
  }
  return found
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY)
    await handle.close()
    return true
  } catch (error) {
    if (isMissingFile(error) || isOtherKind(error)) return false
    throw error
  }
}

/** Whether there is a file, a link, or a directory that the job has closed to others. */
function isOtherKind(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ELOOP', 'ENOTDIR', 'EACCES'].includes(String(error.code))
  )
}

/** As `readCreatedFiles`, of a directory in an archive. Destroys the archive. */
export async function createdFilesOf(archive: Readable, signal: AbortSignal): Promise<CreatedFile[]> {
  const found: CreatedFile[] = []
  const entries = extract()
  archive.once('error', (error) => entries.destroy(error))
  const stop = () => entries.destroy(new Error('The files of the job took too long'))
  signal.throwIfAborted()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const entry of archive.pipe(entries)) {
      const { name, type, mtime } = entry.header
      entry.resume()
      const components = name.split('/').filter((component) => component !== '' && component !== '.')
      if (type === 'file' && components.length === 2) {
        found.push({ name: components[1] ?? '', createdAt: mtime.getTime() })
      }
      if (found.length === MAX_MARKS) break
    }
    return found
  } finally {
    signal.removeEventListener('abort', stop)
    archive.destroy()
  }
}
