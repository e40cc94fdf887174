import type { Readable } from 'node:stream'

import { UnreadableArchiveError } from '../../../archive/errors.js'
import { ZipReader } from '../../../archive/zip-reader.js'
import type { BlobStore } from '../blob-store.js'

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
 * One file out of a stored zip, found through its table of contents and unpacked while it is read. Undefined when the
 * archive has no such file, or is no archive: runners upload what they like. `size` is that of the blob in bytes.
 */
export async function openZipEntry(
  blobs: BlobStore,
  key: string,
  size: number,
  path: string,
): Promise<OpenEntry | undefined> {
  try {
    return await openEntry(await ZipReader.open(zipSource(blobs, key, size)), path)
  } catch (error) {
    if (error instanceof UnreadableArchiveError && !isStoreFailure(error.cause)) return undefined
    throw error
  }
}

/** The reader needs no closing: it opens the blob anew for every range. */
async function openEntry(zip: ZipReader, path: string): Promise<OpenEntry | undefined> {
  for await (const entry of zip.entries()) {
    if (entry.name === path && entry.kind === 'file')
      return { body: await zip.stream(entry), size: entry.size }
  }
  return undefined
}

function zipSource(blobs: BlobStore, key: string, size: number) {
  return {
    size,
    read: ({ start, end }: { start: number; end: number }) => blobs.read(key, { start, end: end - 1 }),
  }
}

/** Errors of the store and of the system carry a code, those about the archive's bytes do not. */
function isStoreFailure(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause
}
