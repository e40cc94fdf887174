import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

import { checkContent, ContentCheck, type ContentClaim, inflateEntry } from './entry-content.js'
import { unreadable, UnreadableArchiveError } from './errors.js'
import { type ByteSpan, type RandomAccessSource, readSpan } from './random-access.js'

/** The metadata of an entry in the table of contents of a zip. */
export interface PackedEntry {
  name: string
  /** In bytes, unpacked and in the archive. */
  size: number
  compressedSize: number
  /** Checksum of the unpacked bytes, according to the archive. */
  crc32: number
  method: number
  isEncrypted: boolean
  /** Position of its local header. */
  offset: number
}

/** Compression methods (APPNOTE.TXT 6.3, 4.4.5). */
export const STORED = 0
export const DEFLATED = 8

/**
 * The unpacked bytes of an entry. The stream fails with `UnreadableArchiveError` if they do not match the metadata.
 * The function throws it if the entry cannot be unpacked.
 */
export async function streamEntry(source: RandomAccessSource, entry: PackedEntry): Promise<Readable> {
  const span = await locate(source, entry)
  const packed = span.start === span.end ? Readable.from([]) : await source.read(span)
  const check = new ContentCheck(claimOf(entry))
  // Errors are passed to `check`, whose reader receives them.
  if (entry.method === DEFLATED) pipeline(packed, createInflateRaw(), check, () => undefined)
  else pipeline(packed, check, () => undefined)
  return check
}

/** Like `streamEntry`, for an entry that is small enough to buffer. */
export async function readEntry(source: RandomAccessSource, entry: PackedEntry): Promise<Buffer> {
  try {
    const packed = await readSpan(source, await locate(source, entry))
    const content = entry.method === DEFLATED ? await inflateEntry(packed, claimOf(entry)) : packed
    checkContent(content, claimOf(entry))
    return content
  } catch (error) {
    throw unreadable(error)
  }
}

function claimOf({ name, size, crc32: crc }: PackedEntry): ContentClaim {
  return { name, size, crc }
}

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30

/** Whether `streamEntry` can unpack an entry. */
export function isSupported({ isEncrypted, method }: PackedEntry): boolean {
  return !isEncrypted && (method === STORED || method === DEFLATED)
}

/**
 * The position of the packed bytes, which are within the archive. The fields are those of APPNOTE.TXT 6.3, 4.3.7.
 */
export async function locate(source: RandomAccessSource, entry: PackedEntry): Promise<ByteSpan> {
  const label = JSON.stringify(entry.name)
  if (entry.isEncrypted) throw new UnreadableArchiveError(`The archive has an encrypted entry: ${label}`)
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new UnreadableArchiveError(
      `The archive has an entry with the unsupported compression method ${entry.method}: ${label}`,
    )
  }
  const header = await headerAt(source, entry.offset)
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw new UnreadableArchiveError(`The archive cannot be read: ${label} has no header`)
  }
  const start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = start + entry.compressedSize
  if (end > source.size) {
    throw new UnreadableArchiveError(`The archive cannot be read: ${label} ends after the end of the archive`)
  }
  return { start, end }
}

async function headerAt(source: RandomAccessSource, offset: number): Promise<Buffer> {
  if (offset + LOCAL_HEADER_BYTES > source.size) return Buffer.alloc(0)
  try {
    return await readSpan(source, { start: offset, end: offset + LOCAL_HEADER_BYTES })
  } catch (error) {
    throw unreadable(error)
  }
}
