/** Keeps the last `size` of all bytes that are pushed. */
export class TailRing {
  private readonly bytes: Buffer
  private total = 0

  constructor(private readonly size: number) {
    this.bytes = Buffer.alloc(size)
  }

  /** Number of bytes pushed so far. */
  get length(): number {
    return this.total
  }

  /** Position of the first byte that is still kept. */
  get start(): number {
    return Math.max(0, this.total - this.size)
  }

  push(chunk: Buffer): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.size))
    const at = (this.total + chunk.length - kept.length) % this.size
    const untilEnd = kept.subarray(0, this.size - at)
    untilEnd.copy(this.bytes, at)
    kept.copy(this.bytes, 0, untilEnd.length)
    this.total += chunk.length
  }

  /** Restores the state after `total` pushed bytes, of which the last are `kept`. */
  restore(total: number, kept: Buffer): void {
    this.total = total - kept.length
    this.push(kept)
  }

  read(): Buffer {
    if (this.total <= this.size) return Buffer.from(this.bytes.subarray(0, this.total))
    const at = this.total % this.size
    return Buffer.concat([this.bytes.subarray(at), this.bytes.subarray(0, at)])
  }
}
