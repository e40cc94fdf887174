import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BITS = 8
/** Red, green, blue and alpha. */
const TRUE_COLOR_ALPHA = 6

/** Encodes a picture as PNG. `pixels` has four bytes for each: red, green, blue, alpha, row by row from the top. */
export function encodePng(width: number, height: number, pixels: Uint8Array): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([BITS, TRUE_COLOR_ALPHA], 8)
  const rows: Uint8Array[] = []
  for (let row = 0; row < height; row += 1) {
    // Each row begins with the number of its filter: none.
    rows.push(Uint8Array.of(0), pixels.subarray(row * width * 4, (row + 1) * width * 4))
  }
  return Buffer.concat([
    SIGNATURE,
    formatChunk('IHDR', head),
    formatChunk('IDAT', deflateSync(Buffer.concat(rows))),
    formatChunk('IEND', Buffer.alloc(0)),
  ])
}

function formatChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
