/** What is left of a quota. */
export interface Usage {
  observed: number
  /** Milliseconds since 1970 at which counting begins anew. */
  resetAt: number
}

/**
 * Counts by key in windows of fixed length that begin for all keys at once, so that forgetting them costs nothing. Kept in
 * the memory of this process: several coordinators on one store each count for themselves, so that no request writes.
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

  /** It is known of more. */
  raise(key: string, observed: number): void {
    this.turn()
    if (observed > (this.counts.get(key) ?? 0)) this.counts.set(key, observed)
  }

  delete(key: string): void {
    this.counts.delete(key)
  }

  private turn(): void {
    const now = this.now()
    if (now < this.resetAt) return
    this.counts = new Map()
    this.resetAt = (Math.floor(now / this.milliseconds) + 1) * this.milliseconds
  }
}
