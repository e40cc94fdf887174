import type { PositionedBytes } from '../../../masking/same-length-masker.js'

/** The last bytes of a text that is being written, so that they need not be read from its file. */
export class TraceTail {
  private start: number

  /**
   * @param bytes the end of the text
   * @param end the size of the text
   * @param longest how many bytes to keep
   */
  constructor(
    private bytes: Buffer,
    private end: number,
    private readonly longest: number,
  ) {
    this.start = end - bytes.length
  }

  /** Bytes that were written at the end of the text, or over it. */
  place({ position, bytes }: PositionedBytes): void {
    const end = Math.max(this.end, position + bytes.length)
    const start = Math.max(end - this.longest, Math.min(this.start, position))
    const tail = Buffer.alloc(Math.max(0, end - start))
    for (const part of [
      { from: this.start, bytes: this.bytes },
      { from: position, bytes },
    ]) {
      const skipped = Math.max(0, start - part.from)
      if (skipped < part.bytes.length) part.bytes.copy(tail, part.from + skipped - start, skipped)
    }
    this.bytes = tail
    this.start = start
    this.end = end
  }

  /** At most as many as are kept. */
  last(): Buffer {
    return this.bytes
  }
}
