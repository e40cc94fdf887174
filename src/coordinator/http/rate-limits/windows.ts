/** The current use of a quota. */
export interface Usage {
  observed: number
  /** Milliseconds since 1970 at which the next window starts. */
  resetAt: number
}

/**
 * Counts by key in windows of fixed length. All keys share the start of the window, so expiry costs nothing.
 * The counts are kept in memory: each coordinator on a shared store counts separately, so requests need no
 * write.
 */
export class Windows {
  private counts = new Map<string, number>()
  private resetAt = 0

  constructor(
    private readonly milliseconds: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Adds one to the count. */
  add(key: string): Usage {
    this.startWindow()
    const observed = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, observed)
    return { observed, resetAt: this.resetAt }
  }

  /** The count so far. */
  of(key: string): Usage {
    this.startWindow()
    return { observed: this.counts.get(key) ?? 0, resetAt: this.resetAt }
  }

  /** Raises the count to an observed value. */
  raise(key: string, observed: number): void {
    this.startWindow()
    if (observed > (this.counts.get(key) ?? 0)) this.counts.set(key, observed)
  }

  delete(key: string): void {
    this.counts.delete(key)
  }

  private startWindow(): void {
    const now = this.now()
    if (now < this.resetAt) return
    this.counts = new Map()
    this.resetAt = (Math.floor(now / this.milliseconds) + 1) * this.milliseconds
  }
}
