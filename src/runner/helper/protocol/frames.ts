import { HelperProtocolError } from './errors.js'

/** A message as bytes: a JSON head that says what it is, and a body. */
export interface Frame {
  head: unknown
  body: Buffer
}

/** Length of the head and length of the body, 4 bytes each, the most significant byte first. */
const LENGTHS_BYTES = 8
const MAX_HEAD_BYTES = 64 * 1024
/** Bytes of an unexpected beginning that an error message shows. */
const SHOWN_BYTES = 200

const EMPTY = Buffer.alloc(0)

export function encodeFrame(head: object, body: Uint8Array = EMPTY): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(LENGTHS_BYTES)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}

/** Separates a stream of bytes into frames. Holds at most one unfinished frame. */
export class FrameReader {
  private chunks: Buffer[] = []
  private length = 0

  constructor(private readonly maxBodyBytes: number) {}

  /** The frames that end in `chunk`. Throws `HelperProtocolError` if the bytes cannot be a frame. */
  *push(chunk: Buffer): Generator<Frame> {
    this.chunks.push(chunk)
    this.length += chunk.length
    for (let frame = this.next(); frame; frame = this.next()) yield frame
  }

  private next(): Frame | undefined {
    if (this.length < LENGTHS_BYTES) return undefined
    const lengths = this.beginning(LENGTHS_BYTES)
    const headEnd = LENGTHS_BYTES + lengths.readUInt32BE(0)
    const end = headEnd + lengths.readUInt32BE(4)
    if (headEnd - LENGTHS_BYTES > MAX_HEAD_BYTES || end - headEnd > this.maxBodyBytes) throw this.unexpected()
    if (this.length < end) return undefined
    const bytes = this.beginning(end)
    this.chunks = [bytes.subarray(end), ...this.chunks.slice(1)]
    this.length -= end
    return {
      head: this.parse(bytes.toString('utf8', LENGTHS_BYTES, headEnd)),
      body: bytes.subarray(headEnd, end),
    }
  }

  /** The first chunk, which has at least `length` bytes afterwards. */
  private beginning(length: number): Buffer {
    const [first = EMPTY] = this.chunks
    if (first.length >= length) return first
    const whole = Buffer.concat(this.chunks)
    this.chunks = [whole]
    return whole
  }

  private parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw new HelperProtocolError('The head of a message is not JSON')
    }
  }

  /** Such as the message of a shell that cannot start the program. */
  private unexpected(): HelperProtocolError {
    const bytes = Buffer.concat(this.chunks).subarray(0, SHOWN_BYTES)
    const text = bytes
      .toString('utf8')
      .replace(/[^\x20-\x7e]+/g, ' ')
      .trim()
    return new HelperProtocolError(`Not a message of the protocol: "${text}"`)
  }
}
