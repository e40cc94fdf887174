/** Refusals of one entry: after `limit` in a row it rests, then gets one try at a time (runner protocol, 2.2). */
export class Health {
  private strikes = 0
  private restUntil = 0

  constructor(
    private limit: number,
    private restMilliseconds: number,
  ) {}

  good(): void {
    this.strikes = 0
  }

  /** Answers whether the entry rests from now on. */
  strike(): boolean {
    this.strikes++
    if (this.strikes < this.limit) return false
    this.restUntil = Date.now() + this.restMilliseconds
    return true
  }

  /** New limits, for what is counted from now on. */
  limitTo(limit: number, restMilliseconds: number): void {
    this.limit = limit
    this.restMilliseconds = restMilliseconds
  }

  /** Starts over, as a person asked for it. */
  reset(): void {
    this.strikes = 0
    this.restUntil = 0
  }

  /** Milliseconds until the entry may ask again. */
  get rest(): number {
    return Math.max(0, this.restUntil - Date.now())
  }
}
