import { tooOften } from './refusals.js'

/** Limits the calls per key in a time window; each coordinator counts separately. */
export class CallLimit {
  /** Times of recent calls, in milliseconds since 1970. */
  private readonly calls = new Map<string, number[]>()

  constructor(
    private readonly most: number,
    /** Milliseconds. */
    private readonly within: number,
    /** The limited resource, as the error message names it. */
    private readonly what = 'endpoint',
  ) {}

  /** Counts a call; throws 429 above the limit (API, A4). */
  take(key: string, now = Date.now()): void {
    for (const [known, times] of this.calls)
      if ((times.at(-1) ?? 0) <= now - this.within) this.calls.delete(known)
    const recent = (this.calls.get(key) ?? []).filter((time) => time > now - this.within)
    const [first = now] = recent
    if (recent.length >= this.most) {
      const usage = { observed: recent.length + 1, resetAt: first + this.within }
      throw tooOften(this.most, usage, now, this.what)
    }
    this.calls.set(key, [...recent, now])
  }
}
