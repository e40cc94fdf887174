/** Refusals of one entry: after `limit` in a row it rests, then gets one try at a time (runner protocol, 2.2). */
export class Health {
  private strikes = 0
  private restUntil = 0

  constructor(
    private readonly limit: number,
    private readonly restMilliseconds: number,
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

  /** Milliseconds until the entry may ask again. */
  get rest(): number {
    return Math.max(0, this.restUntil - Date.now())
  }
}
