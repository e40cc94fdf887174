import { once } from 'node:events'
import { crc32, createInflateRaw } from 'node:zlib'

import { unreadable, UnreadableArchiveError, UnsafeArchiveError } from './errors.js'

const MAGIC = Buffer.from([0x1f, 0x8b, 0x08])
const FIXED_HEADER = 10
const TRAILER = 8
const HAS_CHECKSUM = 0x02
const HAS_EXTRA = 0x04
const HAS_NAME = 0x08
const HAS_COMMENT = 0x10

/**
 * The content of each of several concatenated gzip members (RFC 1952): a report of several files has one member for
 * each. Throws `UnreadableArchiveError` for anything else, and `UnsafeArchiveError` as soon as the total exceeds
 * `maxBytes`.
 */
export async function gunzipMembers(bytes: Buffer, maxBytes: number): Promise<Buffer[]> {
  const contents: Buffer[] = []
  let left = maxBytes
  for (let rest = bytes; rest.length > 0;) {
    const body = rest.subarray(headerLength(rest))
    const { content, consumed } = await inflate(body, left)
    checkTrailer(body.subarray(consumed, consumed + TRAILER), content)
    contents.push(content)
    left -= content.length
    rest = body.subarray(consumed + TRAILER)
  }
  return contents
}

function headerLength(bytes: Buffer): number {
  if (bytes.length < FIXED_HEADER || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw broken()
  const flags = bytes.readUInt8(3)
  let at = FIXED_HEADER
  if (flags & HAS_EXTRA) at = afterExtra(bytes, at)
  if (flags & HAS_NAME) at = afterText(bytes, at)
  if (flags & HAS_COMMENT) at = afterText(bytes, at)
  return flags & HAS_CHECKSUM ? at + 2 : at
}

function afterExtra(bytes: Buffer, start: number): number {
  if (bytes.length < start + 2) throw broken()
  return start + 2 + bytes.readUInt16LE(start)
}

function afterText(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(0, start)
  if (end < 0) throw broken()
  return end + 1
}

async function inflate(body: Buffer, maxBytes: number): Promise<{ content: Buffer; consumed: number }> {
  const inflater = createInflateRaw()
  const pieces: Buffer[] = []
  let size = 0
  inflater.on('data', (piece: Buffer) => {
    size += piece.length
    if (size <= maxBytes) pieces.push(piece)
    else inflater.destroy(new UnsafeArchiveError(`The file contains more than ${maxBytes} bytes`))
  })
  inflater.end(body)
  try {
    await once(inflater, 'end')
  } catch (error) {
    throw error instanceof UnsafeArchiveError ? error : unreadable(error)
  }
  return { content: Buffer.concat(pieces), consumed: inflater.bytesWritten }
}

function checkTrailer(trailer: Buffer, content: Buffer): void {
  if (trailer.length < TRAILER || trailer.readUInt32LE(0) !== crc32(content)) throw broken()
}

function broken(): UnreadableArchiveError {
  return new UnreadableArchiveError('The file is not a gzip file, or it is damaged')
}
