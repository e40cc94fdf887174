import { type Readable, Transform, type TransformCallback } from 'node:stream'

/** The first and the last byte of a part of a stream, counted from 0. */
interface Bounds {
  start: number
  end: number
}

/** A part of a stream that can only be read from its start. The stream is destroyed at the end of the part. */
export function bytesBetween(body: Readable, bounds: Bounds): Readable {
  const cut = new Cut(bounds)
  body.once('error', (error) => cut.destroy(error))
  // Stops the source when the part is complete or the client disconnects.
  cut.once('end', () => body.destroy()).once('close', () => body.destroy())
  return body.pipe(cut)
}

class Cut extends Transform {
  private at = 0

  constructor(private readonly bounds: Bounds) {
    super()
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { start, end } = this.bounds
    const part = chunk.subarray(Math.max(0, start - this.at), Math.max(0, end + 1 - this.at))
    this.at += chunk.length
    if (part.length > 0) this.push(part)
    if (this.at > end) this.push(null)
    done()
  }
}
