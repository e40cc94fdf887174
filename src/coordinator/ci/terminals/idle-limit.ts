interface IdleEvents {
  onWarning: () => void
  onEnd: () => void
}

/**
 * Warns, and then ends, when nothing happens for a while. Activity costs no timer: one is set for the earliest time at
 * which something could be due.
 */
export class IdleLimit {
  private lastActive = performance.now()
  private timer: NodeJS.Timeout

  /** `limit`: milliseconds without activity. `warning`: how long before the end. */
  constructor(
    private readonly limit: number,
    private readonly warning: number,
    private readonly events: IdleEvents,
  ) {
    this.timer = this.wait('warning', limit - warning)
  }

  active(): void {
    this.lastActive = performance.now()
  }

  /** May be called twice. */
  stop(): void {
    clearTimeout(this.timer)
  }

  private wait(next: 'warning' | 'end', milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.check(next), milliseconds)
  }

  private check(next: 'warning' | 'end'): void {
    const idle = performance.now() - this.lastActive
    const untilWarning = this.limit - this.warning - idle
    if (untilWarning > 1) {
      this.timer = this.wait('warning', untilWarning)
      return
    }
    if (next === 'warning') {
      this.events.onWarning()
      this.timer = this.wait('end', this.limit - idle)
      return
    }
    this.events.onEnd()
  }
}
