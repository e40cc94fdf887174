import { MINUTE } from '../../../lib/time-units.js'

/**
 * Minimum time between two writes for one key, in milliseconds; times have a precision of ten minutes (API,
 * A13).
 */
export const WRITE_EVERY = 10 * MINUTE

export interface RareWritesDeps<Fact> {
  /** Maximum number of remembered keys; evicting a key only costs one more write. */
  remembered: number
  write: (fact: Fact, at: number) => Promise<void>
  /** Called with a fact that could not be written; the fact is discarded. */
  onFailure: (error: unknown, fact: Fact) => void
  now: () => number
}

/**
 * Batches facts that many requests repeat: a request only records the fact in memory, a periodic task writes
 * it.
 */
export class RareWrites<Fact> {
  /** By key: the time when it was last recorded for writing. */
  private readonly recordedAt = new Map<string, number>()
  private waiting: { fact: Fact; at: number }[] = []

  constructor(private readonly deps: RareWritesDeps<Fact>) {}

  /** Queues `fact` for the next `write`, unless one with this key was queued recently. */
  record(key: string, fact: Fact): void {
    const at = this.deps.now()
    const last = this.recordedAt.get(key)
    if (last !== undefined && at - last < WRITE_EVERY) return
    if (this.recordedAt.size >= this.deps.remembered) this.recordedAt.clear()
    this.recordedAt.set(key, at)
    this.waiting.push({ fact, at })
  }

  async write(): Promise<void> {
    const waiting = this.waiting
    this.waiting = []
    for (const { fact, at } of waiting) {
      try {
        await this.deps.write(fact, at)
      } catch (error) {
        this.deps.onFailure(error, fact)
      }
    }
  }
}
