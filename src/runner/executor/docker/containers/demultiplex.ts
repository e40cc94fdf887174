import { Transform, type TransformCallback } from 'node:stream'

const HEADER_BYTES = 8
const LENGTH_OFFSET = 4

/**
 * Takes the frames of a container's output apart: 8 bytes of header, the last four of them the length, then the
 * bytes that were printed. A frame passes through in the pieces it came in, so that none is held whole.
 */
export class Demultiplexer extends Transform {
  /** Printed bytes that were given out so far. */
  passed = 0
  private header = Buffer.alloc(0)
  private missing = 0
  private first = Buffer.alloc(0)
  private toSkip: number
  private readonly keep: number

  /**
   * `skip`: printed bytes that are dropped from the beginning. `keep`: how many bytes of what follows stay readable in
   * `beginning`.
   */
  constructor({ skip = 0, keep = 0 }: { skip?: number; keep?: number } = {}) {
    super()
    this.toSkip = skip
    this.keep = keep
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
    this.give(payload.subarray(this.toSkip))
    this.toSkip = Math.max(0, this.toSkip - payload.length)
    return bytes.subarray(payload.length)
  }

  private give(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.first.length < this.keep) this.first = Buffer.concat([this.first, bytes]).subarray(0, this.keep)
    this.passed += bytes.length
    this.push(bytes)
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
