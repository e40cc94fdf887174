import { once } from 'node:events'
import type { Stats } from 'node:fs'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, pipeline, type Readable } from 'node:stream'

import { ZipArchive } from 'archiver'

import { deferred } from '../lib/deferred.js'

export interface ZipOptions {
  /** Deflate's own levels 1 to 9; 0 stores. */
  level: number
  /** Told of each name that is left out and why: sockets, pipes, devices, names that a zip cannot carry. */
  onSkipped?: (name: string, reason: string) => void
}

/** Files up to this size are read in one go; larger ones are streamed. */
const SMALL_FILE_BYTES = 256 * 1024

/**
 * A zip of `names` below `root` (`/` as separator, directories end in `/`), in that order: links as links, with unix
 * modes and times. One file is open at a time; an error, such as a file that is gone, destroys the stream.
 */
export function zipFiles(root: string, names: Iterable<string>, options: ZipOptions): Readable {
  const archive = new ZipArchive({ store: options.level === 0, zlib: { level: options.level } })
  const output = new PassThrough()
  pipeline(archive, output, () => archive.abort())
  addAll(archive, root, names, options, output).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  return output
}

async function addAll(
  archive: ZipArchive,
  root: string,
  names: Iterable<string>,
  options: ZipOptions,
  output: PassThrough,
): Promise<void> {
  for (const name of names) {
    if (output.destroyed) return
    if (isMangled(name)) options.onSkipped?.(name, 'its name cannot be kept in a zip')
    else await addOne(archive, root, name, options, output)
  }
  await archive.finalize()
}

/** The writer underneath takes a backslash for a separator and a leading `word:` for a drive. */
function isMangled(name: string): boolean {
  return name.includes('\\') || /^\w+:/.test(name)
}

async function addOne(
  archive: ZipArchive,
  root: string,
  name: string,
  options: ZipOptions,
  output: PassThrough,
): Promise<void> {
  const path = join(root, name)
  const stats = await lstat(path)
  const entry = { name, mode: stats.mode & 0o7777, date: stats.mtime }
  if (stats.isSymbolicLink()) {
    const target = await readlink(path)
    await written(archive, output, () => appendLink(archive, name, target, stats))
  } else if (stats.isDirectory()) {
    await written(archive, output, () => archive.append('', { ...entry, type: 'directory' }))
  } else if (stats.isFile()) {
    await addFile(archive, path, entry, output)
  } else {
    options.onSkipped?.(name, 'it is neither a file nor a directory nor a link')
  }
}

/** `append` knows links but its typings do not: the target travels as `linkname`. */
function appendLink(archive: ZipArchive, name: string, target: string, stats: Stats): void {
  const data = { name, type: 'symlink' as const, linkname: target, mode: 0o777, date: stats.mtime }
  archive.append('', data)
}

async function addFile(
  archive: ZipArchive,
  path: string,
  entry: { name: string; mode: number; date: Date },
  output: PassThrough,
): Promise<void> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  const { size } = await file.stat()
  if (size > SMALL_FILE_BYTES) {
    await addStream(archive, file, entry, output)
  } else {
    const content = await file.readFile().finally(() => file.close())
    await written(archive, output, () => archive.append(content, entry))
  }
}

/** The writer does not hear of its source's errors, so that they are sent to the end of the chain from here. */
async function addStream(
  archive: ZipArchive,
  file: FileHandle,
  entry: { name: string; mode: number; date: Date },
  output: PassThrough,
): Promise<void> {
  const content = file.createReadStream().once('error', (error) => output.destroy(error))
  try {
    await written(archive, output, () => archive.append(content, entry))
  } finally {
    content.destroy()
    if (!content.closed) await once(content, 'close')
  }
}

/** Resolves when the entry that `append` begins is in the archive; rejects when it or the reader of it fails. */
async function written(archive: ZipArchive, output: PassThrough, append: () => void): Promise<void> {
  const done = deferred()
  const onEntry = () => done.resolve()
  const onEnd = (error?: Error) => done.reject(error ?? new Error('The reader of the archive went away'))
  archive.once('entry', onEntry)
  archive.once('error', onEnd)
  output.once('close', onEnd)
  try {
    if (output.destroyed) return
    append()
    await done.promise
  } finally {
    archive.off('entry', onEntry)
    archive.off('error', onEnd)
    output.off('close', onEnd)
  }
}
