import type { Readable } from 'node:stream'

import { copyZipEntries } from '../../../../archive/copy-zip-entries.js'
import { UnreadableArchiveError } from '../../../../archive/errors.js'
import { streamEntry } from '../../../../archive/packed-entry.js'
import type { RandomAccessSource } from '../../../../archive/random-access.js'
import { ZipReader } from '../../../../archive/zip-reader.js'
import type { BlobStore } from '../blob-store.js'
import { type ArchiveIndexes, isStoreFailure } from './archive-indexes.js'

export interface OpenEntry {
  body: Readable
  /** Bytes, unpacked. */
  size: number
}

/** Whether `path` may name a file of an archive: relative, and without an empty, `.` or `..` segment. */
export function isEntryPath(path: string): boolean {
  if (path.includes('\0')) return false
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/**
 * Opens one file of a stored zip archive and unpacks it while it is read. Returns undefined if there is no
 * such file or the blob is no archive, because runners may upload anything. `size` is the size of the blob in
 * bytes. Throws the reason of `signal`.
 */
export async function openZipEntry(
  { blobs, indexes }: { blobs: BlobStore; indexes: ArchiveIndexes },
  { key, size, path }: { key: string; size: number; path: string },
  signal: AbortSignal,
): Promise<OpenEntry | undefined> {
  const source = zipSource(blobs, key, size)
  const entry = await indexes.find(key, source, path, signal)
  if (!entry) return undefined
  try {
    return { body: await streamEntry(source, entry), size: entry.size }
  } catch (error) {
    if (error instanceof UnreadableArchiveError && !isStoreFailure(error.cause)) return undefined
    throw error
  }
}

/**
 * A zip of a folder of a stored zip archive, whose packed bytes are copied. Names begin with that of the folder. `size`
 * is the size of the blob in bytes.
 */
export async function zipOfFolder(
  blobs: BlobStore,
  { key, size, path }: { key: string; size: number; path: string },
): Promise<Readable> {
  const source = zipSource(blobs, key, size)
  const zip = await ZipReader.open(source)
  const below = `${path}/`
  const parent = path.lastIndexOf('/') + 1
  return copyZipEntries(source, zip.entries(), (name) =>
    name.startsWith(below) ? name.slice(parent) : undefined,
  )
}

/** Needs no closing: the blob is opened for each span. */
export function zipSource(blobs: BlobStore, key: string, size: number): RandomAccessSource {
  return { size, read: ({ start, end }) => blobs.read(key, { start, end: end - 1 }) }
}
