/** Reads lines and a given number of bytes from a stream, and then the rest. One read at a time. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>
  private buffered: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]()
  }

  /** The next line without its end. Undefined if the stream ends first. */
  async line(): Promise<string | undefined> {
    for (;;) {
      const end = this.buffered.indexOf('\n')
      if (end >= 0) return this.cut(end + 1).toString('utf8', 0, end)
      if (!(await this.more())) return undefined
    }
  }

  /** Waits for further bytes. Returns false if the stream ends before. */
  async hasMore(): Promise<boolean> {
    while (this.buffered.length === 0) if (!(await this.more())) return false
    return true
  }

  /** Exactly `count` bytes. Undefined if the stream ends first. */
  async take(count: number): Promise<Buffer | undefined> {
    while (this.buffered.length < count) if (!(await this.more())) return undefined
    return this.cut(count)
  }

  /** Skips `count` bytes without buffering them. Returns false if the stream ends first. */
  async skip(count: number): Promise<boolean> {
    let left = count
    for (;;) {
      left -= this.cut(Math.min(left, this.buffered.length)).length
      if (left === 0) return true
      if (!(await this.more())) return false
    }
  }

  /** All bytes that have not been read. Nothing else may be read afterwards. */
  async *rest(): AsyncGenerator<Buffer> {
    try {
      if (this.buffered.length > 0) yield this.cut(this.buffered.length)
      while (await this.more()) yield this.cut(this.buffered.length)
    } finally {
      await this.chunks.return?.()
    }
  }

  private async more(): Promise<boolean> {
    const next = await this.chunks.next()
    if (next.done) return false
    this.buffered = this.buffered.length === 0 ? next.value : Buffer.concat([this.buffered, next.value])
    return true
  }

  private cut(count: number): Buffer {
    const head = this.buffered.subarray(0, count)
    this.buffered = this.buffered.subarray(count)
    return head
  }
}
