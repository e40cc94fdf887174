import { Transform, type TransformCallback } from 'node:stream'

const HEADER_BYTES = 8
const LENGTH_OFFSET = 4

/**
 * Takes the frames of an attached container apart: 8 bytes of header, the last four of them the length, then the
 * bytes that were printed. A frame passes through in the pieces it came in, so that none is held whole.
 */
export class Demultiplexer extends Transform {
  private header = Buffer.alloc(0)
  private missing = 0
  private first = Buffer.alloc(0)

  /** `keep` is how many bytes of the beginning stay readable in `beginning`. */
  constructor(private readonly keep = 0) {
    super()
  }

  get beginning(): string {
    return this.first.toString('utf8')
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = chunk
    while (rest.length > 0) rest = this.missing > 0 ? this.passPayload(rest) : this.takeHeader(rest)
    done()
  }

  private passPayload(bytes: Buffer): Buffer {
    const payload = bytes.subarray(0, this.missing)
    this.missing -= payload.length
    if (this.first.length < this.keep)
      this.first = Buffer.concat([this.first, payload]).subarray(0, this.keep)
    this.push(payload)
    return bytes.subarray(payload.length)
  }

  private takeHeader(bytes: Buffer): Buffer {
    const taken = bytes.subarray(0, HEADER_BYTES - this.header.length)
    this.header = Buffer.concat([this.header, taken])
    if (this.header.length === HEADER_BYTES) {
      this.missing = this.header.readUInt32BE(LENGTH_OFFSET)
      this.header = Buffer.alloc(0)
    }
    return bytes.subarray(taken.length)
  }
}
