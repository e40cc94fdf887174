import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

import { checkContent, ContentCheck, type ContentClaim, inflateEntry } from './entry-content.js'
import { unreadable, UnreadableArchiveError } from './errors.js'
import { type ByteSpan, type RandomAccessSource, readSpan } from './random-access.js'

/** What the table of contents of a zip says about the bytes of an entry. */
export interface PackedEntry {
  name: string
  /** Bytes, unpacked and in the archive. */
  size: number
  compressedSize: number
  /** Of the unpacked bytes, as the archive says. */
  crc32: number
  method: number
  isEncrypted: boolean
  /** Where its local header begins. */
  offset: number
}

const STORED = 0
const DEFLATED = 8

/**
 * The unpacked bytes of an entry. The stream fails with `UnreadableArchiveError` when they are not what was packed; it is
 * thrown for an entry that cannot be unpacked.
 */
export async function streamEntry(source: RandomAccessSource, entry: PackedEntry): Promise<Readable> {
  const span = await locate(source, entry)
  const packed = span.start === span.end ? Readable.from([]) : await source.read(span)
  const check = new ContentCheck(claimOf(entry))
  // Errors reach `check`, where its reader hears of them.
  if (entry.method === DEFLATED) pipeline(packed, createInflateRaw(), check, () => undefined)
  else pipeline(packed, check, () => undefined)
  return check
}

/** As `streamEntry`, for an entry that is small enough to be held. */
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

/** Where the packed bytes are, which lie within the archive; fields are those of APPNOTE.TXT 6.3, 4.3.7. */
async function locate(source: RandomAccessSource, entry: PackedEntry): Promise<ByteSpan> {
  const label = JSON.stringify(entry.name)
  if (entry.isEncrypted) throw new UnreadableArchiveError(`The archive has an encrypted entry: ${label}`)
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new UnreadableArchiveError(
      `The archive has an entry of the unknown method ${entry.method}: ${label}`,
    )
  }
  const header = await headerAt(source, entry.offset)
  if (header.length < LOCAL_HEADER_BYTES || header.readUInt32LE(0) !== LOCAL_HEADER) {
    throw new UnreadableArchiveError(`The archive cannot be read: ${label} has no header`)
  }
  const start = entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  const end = start + entry.compressedSize
  if (end > source.size) {
    throw new UnreadableArchiveError(`The archive cannot be read: ${label} ends behind the archive`)
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
