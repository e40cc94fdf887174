import type { Readable } from 'node:stream'

import { UnreadableArchiveError, UnsafeArchiveError } from '../../../../archive/errors.js'
import { gunzipMembers } from '../../../../archive/gunzip-members.js'
import { apiError } from '../../../http/errors.js'

/** A report that is parsed before it is stored. */
export interface SmallReport {
  /** The body as received. */
  packed: Buffer
  /** The content of each of its files. */
  files: Buffer[]
}

/** More than this is refused unread: text that small does not grow by being packed. */
const MAX_PACKED_BYTES = 64 * 1024

/**
 * Reads a report whose files have at most `maxBytes` in total. Throws 400; for a larger report, with the
 * message `tooBig`.
 */
export async function readSmallReport(
  body: Readable,
  maxBytes: number,
  tooBig: string,
): Promise<SmallReport> {
  const packed = await readWhole(body, Math.max(maxBytes, MAX_PACKED_BYTES), tooBig)
  return { packed, files: await unpack(packed, maxBytes, tooBig) }
}

async function readWhole(body: Readable, maxBytes: number, tooBig: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxBytes) throw apiError('report_invalid', { reason: tooBig })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function unpack(packed: Buffer, maxBytes: number, tooBig: string): Promise<Buffer[]> {
  try {
    return await gunzipMembers(packed, maxBytes)
  } catch (error) {
    if (error instanceof UnsafeArchiveError) throw apiError('report_invalid', { reason: tooBig })
    if (error instanceof UnreadableArchiveError)
      throw apiError('report_invalid', { reason: 'Invalid Format' })
    throw error
  }
}
