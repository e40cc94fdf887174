/** A client that follows a trace reads it more often than this. */
const WATCHED_MILLISECONDS = 15_000

interface Reading {
  /** Time of the first of the reads that follow each other, in milliseconds since 1970. */
  since: number
  last: number
}

/**
 * Jobs whose trace was read at this coordinator a moment ago; their runners send it more often. Live streams that
 * include a trace count as readers, also those of other coordinators.
 */
export class TraceReaders {
  /** In the order of the last read. */
  private readonly readings = new Map<number, Reading>()

  /** `onBegin`: a trace is read that was not read before; must not throw. */
  constructor(private readonly onBegin: (jobId: number) => void = () => undefined) {}

  recordRead(jobId: number, now = Date.now()): void {
    this.deleteOld(now)
    const since = this.readings.get(jobId)?.since
    this.readings.delete(jobId)
    this.readings.set(jobId, { since: since ?? now, last: now })
    if (since === undefined) this.onBegin(jobId)
  }

  isRead(jobId: number, now = Date.now()): boolean {
    return this.readSince(jobId, now) !== undefined
  }

  /** When the present readers of a trace began, in milliseconds since 1970; undefined if there are none. */
  readSince(jobId: number, now = Date.now()): number | undefined {
    const reading = this.readings.get(jobId)
    return reading && now - reading.last < WATCHED_MILLISECONDS ? reading.since : undefined
  }

  private deleteOld(now: number): void {
    for (const [jobId, { last }] of this.readings) {
      if (now - last < WATCHED_MILLISECONDS) return
      this.readings.delete(jobId)
    }
  }
}
