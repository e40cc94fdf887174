/** Each thing that is noted is written once in this time. Milliseconds; times are kept to ten minutes (API, A13). */
export const WRITE_EVERY = 10 * 60_000

export interface RareWritesDeps<Fact> {
  /** How many keys are remembered; forgetting them only costs a write each. */
  remembered: number
  write: (fact: Fact, at: number) => Promise<void>
  /** Told of what could not be written, which is forgotten then. */
  onFailure: (error: unknown, fact: Fact) => void
  now: () => number
}

/** Keeps what requests tell again and again from being written as often: a request only notes it, a periodic task writes. */
export class RareWrites<Fact> {
  /** By key: when it was last noted to be written. */
  private readonly noted = new Map<string, number>()
  private waiting: { fact: Fact; at: number }[] = []

  constructor(private readonly deps: RareWritesDeps<Fact>) {}

  /** Leaves `fact` to the next `write`, unless one of this key was noted a short time ago. */
  note(key: string, fact: Fact): void {
    const at = this.deps.now()
    const last = this.noted.get(key)
    if (last !== undefined && at - last < WRITE_EVERY) return
    if (this.noted.size >= this.deps.remembered) this.noted.clear()
    this.noted.set(key, at)
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
