/** A client that follows a trace reads it more often than this. */
const WATCHED_MILLISECONDS = 15_000

/** Jobs whose trace was read at this coordinator a moment ago; their runners send it more often. */
export class TraceReaders {
  /** In the order of the last read. */
  private readonly lastReads = new Map<number, number>()

  recordRead(jobId: number, now = Date.now()): void {
    this.deleteOld(now)
    this.lastReads.delete(jobId)
    this.lastReads.set(jobId, now)
  }

  isRead(jobId: number, now = Date.now()): boolean {
    return now - (this.lastReads.get(jobId) ?? -Infinity) < WATCHED_MILLISECONDS
  }

  private deleteOld(now: number): void {
    for (const [jobId, lastRead] of this.lastReads) {
      if (now - lastRead < WATCHED_MILLISECONDS) return
      this.lastReads.delete(jobId)
    }
  }
}
