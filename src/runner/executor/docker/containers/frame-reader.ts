const HEADER_BYTES = 8
const LENGTH_OFFSET = 4
const STDERR = 2

interface FramePart {
  channel: 'stdout' | 'stderr'
  bytes: Buffer
}

/** Splits the output of a command without a terminal into its two channels. Frames are passed on in pieces. */
export class FrameReader {
  private header = Buffer.alloc(0)
  private missing = 0

  read(chunk: Buffer): FramePart[] {
    const parts: FramePart[] = []
    let rest = chunk
    while (rest.length > 0) {
      if (this.missing === 0) {
        rest = this.readHeader(rest)
        continue
      }
      const bytes = rest.subarray(0, this.missing)
      parts.push({ channel: this.header[0] === STDERR ? 'stderr' : 'stdout', bytes })
      this.missing -= bytes.length
      rest = rest.subarray(bytes.length)
      if (this.missing === 0) this.header = Buffer.alloc(0)
    }
    return parts
  }

  private readHeader(bytes: Buffer): Buffer {
    const taken = bytes.subarray(0, HEADER_BYTES - this.header.length)
    this.header = Buffer.concat([this.header, taken])
    if (this.header.length === HEADER_BYTES) {
      this.missing = this.header.readUInt32BE(LENGTH_OFFSET)
      if (this.missing === 0) this.header = Buffer.alloc(0)
    }
    return bytes.subarray(taken.length)
  }
}
