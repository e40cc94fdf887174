import { deflateRawSync, inflateRawSync } from 'node:zlib'

import { HelperProtocolError } from './errors.js'

/** The fastest level: text of logs gets five to ten times shorter, faster than any connection to a cluster. */
const LEVEL = 1
/** Fewer bytes are not worth the time. */
const MIN_BYTES = 1024
/** The share of a part that may be left for it to be worth the time. */
const MAX_RATIO = 2 / 3
/** Parts that are sent as they are after one that was not worth it, as of an archive or of random bytes. */
const SKIPPED = 16

/**
 * Compresses parts of a stream, each by itself, because a stream can be cut after any of them. All bytes go through the API
 * server and the runtime of the node, which cost more for each byte than this.
 */
export class DataPacker {
  private skip = 0

  /** `size`: that of the part, if the body is compressed. */
  pack(part: Buffer): { body: Buffer; size?: number } {
    if (part.length < MIN_BYTES || this.skip > 0) {
      this.skip = Math.max(0, this.skip - 1)
      return { body: part }
    }
    const body = deflateRawSync(part, { level: LEVEL })
    if (body.length <= part.length * MAX_RATIO) return { body, size: part.length }
    this.skip = SKIPPED
    return { body: part }
  }
}

/** The bytes of a message. Throws `HelperProtocolError` if the body is not what `DataPacker` makes of `size` bytes. */
export function unpackData(body: Buffer, size: number | undefined): Buffer {
  if (size === undefined) return body
  try {
    const bytes = inflateRawSync(body, { maxOutputLength: size })
    if (bytes.length === size) return bytes
  } catch (error) {
    throw new HelperProtocolError('The data of a message cannot be unpacked', { cause: error })
  }
  throw new HelperProtocolError('The data of a message has another size than it says')
}
