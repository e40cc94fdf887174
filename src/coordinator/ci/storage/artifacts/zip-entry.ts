import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { copyZipEntries } from '../../../../archive/copy-zip-entries.js'
import { UnreadableArchiveError } from '../../../../archive/errors.js'
import { isSupported, streamEntry } from '../../../../archive/packed-entry.js'
import { ZipReader } from '../../../../archive/zip-reader.js'
import type { BlobStore, ExpectedBlob } from '../blob-store.js'
import { type ArchiveIndexes, isStoreFailure, type StoredArchive } from './archive-indexes.js'

/** A stored zip archive, as its row describes it. */
export interface ArchiveBlob extends ExpectedBlob {
  key: string
}

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
 * such file or the blob is no archive, because runners may upload anything. Throws the reason of `signal`, and
 * `DifferentBlobError` if the blob is no longer what was uploaded.
 */
export async function openZipEntry(
  { blobs, indexes }: { blobs: BlobStore; indexes: ArchiveIndexes },
  { path, ...blob }: ArchiveBlob & { path: string },
  signal: AbortSignal,
): Promise<OpenEntry | undefined> {
  const source = zipSource(blobs, blob)
  const entry = await indexes.find(blob.key, source, path, signal)
  if (!entry || !isSupported(entry)) return undefined
  try {
    return { body: await streamEntry(source, entry), size: entry.size }
  } catch (error) {
    if (error instanceof UnreadableArchiveError && !isStoreFailure(error.cause)) {
      await indexes.compare(blob.key, source, signal)
      return undefined
    }
    throw error
  }
}

/**
 * A zip of a folder of a stored zip archive, whose packed bytes are copied. Names begin with that of the folder.
 */
export async function zipOfFolder(
  blobs: BlobStore,
  { path, ...blob }: ArchiveBlob & { path: string },
): Promise<Readable> {
  const source = zipSource(blobs, blob)
  const zip = await ZipReader.open(source)
  const below = `${path}/`
  const parent = path.lastIndexOf('/') + 1
  return copyZipEntries(source, zip.entries(), (name) =>
    name.startsWith(below) ? name.slice(parent) : undefined,
  )
}

/** Needs no closing: the blob is opened for each span. */
export function zipSource(blobs: BlobStore, { key, ...expected }: ArchiveBlob): StoredArchive {
  return {
    size: expected.size,
    read: ({ start, end }) => blobs.readPart(key, { start, end: end - 1 }, expected),
    compare: async (signal) => {
      const whole = await blobs.readWhole(key, expected)
      await pipeline(whole, nowhere(), { signal })
    },
  }
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
