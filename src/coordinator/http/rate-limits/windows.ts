/** What is left of a quota. */
export interface Usage {
  observed: number
  /** Milliseconds since 1970 at which counting begins anew. */
  resetAt: number
}

/**
 * Counts by key in windows of fixed length that begin for all keys at once, so that forgetting them costs nothing. Kept in
 * the memory of this process: several coordinators on one store each count for themselves.
 */
export class Windows {
  private counts = new Map<string, number>()
  private resetAt = 0

  constructor(
    private readonly milliseconds: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts one more. */
  add(key: string): Usage {
    this.turn()
    const observed = (this.counts.get(key) ?? 0) + 1
    this.counts.set(key, observed)
    return { observed, resetAt: this.resetAt }
  }

  /** What has been counted so far. */
  of(key: string): Usage {
    this.turn()
    return { observed: this.counts.get(key) ?? 0, resetAt: this.resetAt }
  }

  private turn(): void {
    const now = this.now()
    if (now < this.resetAt) return
    this.counts = new Map()
    this.resetAt = (Math.floor(now / this.milliseconds) + 1) * this.milliseconds
  }
}
