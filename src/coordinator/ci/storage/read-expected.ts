import type { Readable } from 'node:stream'

import {
  type BlobStore,
  type ByteRange,
  DOWNLOAD_SECONDS,
  type DownloadHeaders,
  type ExpectedBlob,
} from './blob-store.js'
import { sizeDifference } from './compared-bytes.js'
import { BlobMissingError, DifferentBlobError } from './errors.js'

/**
 * Reads a blob that a row names, or a part of it. The size is compared with the row, and all bytes if all are read. Throws
 * as `BlobStore.readWhole` does.
 */
export function readExpected(
  blobs: BlobStore,
  key: string,
  expected: ExpectedBlob,
  range?: ByteRange,
): Promise<Readable> {
  const isWhole = !range || (range.start === 0 && range.end >= expected.size - 1)
  return isWhole ? blobs.readWhole(key, expected) : blobs.readPart(key, range, expected)
}

/**
 * An address at which the store sends a blob itself (`BlobStore.downloadUrl`), whose size is compared before. Throws
 * `DifferentBlobError` and `BlobMissingError`.
 */
export async function expectedDownloadUrl(
  blobs: BlobStore,
  key: string,
  { size }: ExpectedBlob,
  headers: DownloadHeaders,
): Promise<string | undefined> {
  const address = await blobs.downloadUrl(key, DOWNLOAD_SECONDS, headers)
  if (address === undefined) return undefined
  const found = await blobs.find(key)
  if (!found) throw new BlobMissingError(key)
  if (found.size !== size)
    throw new DifferentBlobError(`The object ${key}`, sizeDifference(found.size, { size }))
  return address
}
