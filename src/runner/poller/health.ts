/**
 * Counts the refusals of one registration. After `limit` in a row it pauses, then makes one attempt at a time
 * (runner protocol, 2.2).
 */
export class Health {
  private strikes = 0
  private restUntil = 0

  constructor(
    private limit: number,
    private restMilliseconds: number,
  ) {}

  recordSuccess(): void {
    this.strikes = 0
  }

  /** Records a refusal. Returns whether the registration pauses now. */
  recordRefusal(): boolean {
    this.strikes++
    if (this.strikes < this.limit) return false
    this.restUntil = Date.now() + this.restMilliseconds
    return true
  }

  /** Sets limits that apply from now on. */
  limitTo(limit: number, restMilliseconds: number): void {
    this.limit = limit
    this.restMilliseconds = restMilliseconds
  }

  /** Resets the count, at the request of an administrator. */
  reset(): void {
    this.strikes = 0
    this.restUntil = 0
  }

  /** Milliseconds until the next request is allowed. */
  get rest(): number {
    return Math.max(0, this.restUntil - Date.now())
  }
}
