import { isUtf8 } from 'node:buffer'

import type { ByteFilter } from './byte-filter.js'

/**
 * Replaces bytes that are not valid UTF-8 by U+FFFD. A character that is split over two writes is preserved (runner
 * protocol, 4.3).
 */
export class Utf8Repair implements ByteFilter {
  /** The beginning of an incomplete character: at most 3 bytes. */
  private begun: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): Buffer {
    const bytes = this.begun.length === 0 ? chunk : Buffer.concat([this.begun, chunk])
    const end = startOfUnfinished(bytes)
    this.begun = bytes.subarray(end)
    return repaired(bytes.subarray(0, end))
  }

  flush(): Buffer {
    const rest = repaired(this.begun)
    this.begun = Buffer.alloc(0)
    return rest
  }
}

/**
 * Decoding may be split before any byte that begins a character: what is incomplete there is invalid in any case.
 */
function repaired(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes
  return Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
}

/** Position of an incomplete last character. The length if there is none. */
function startOfUnfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) break
    if (byte >= 0xc0) return lengthOfCharacter(byte) > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function lengthOfCharacter(firstByte: number): number {
  if (firstByte < 0xe0) return 2
  return firstByte < 0xf0 ? 3 : 4
}
