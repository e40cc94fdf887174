import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'

/**
 * Limits the delay for work that a stopped coordinator has scheduled, and for all work after the clock of the system was
 * set. So it is measured by a clock that nobody sets. Milliseconds.
 */
export const MAX_WAIT = 30 * 1000

export interface ScheduleTimerDeps {
  /** The scheduled objects, for the log: `Delayed jobs`. */
  of: string
  /** Starts everything that is due; returns the next due time, in milliseconds since 1970. */
  startDue: () => Promise<number | undefined>
  logger: Logger
}

/**
 * Wakes when the next scheduled object is due: a delayed job (CI language, 11.4), a scheduled pipeline, the
 * retry of a delivery. The times are stored, so a restarted coordinator continues with them. Each
 * coordinator on a store wakes for its own schedules; the first to start an object leaves nothing for the
 * others.
 *
 *     poll: start what is due ──▶ wait for the next due time, at most MAX_WAIT ──▶ poll
 *                                   ▲ an earlier time is scheduled
 */
export class ScheduleTimer {
  /** Milliseconds since 1970; Infinity = after `MAX_WAIT`. */
  private nextCheck = 0
  private alarm = new AbortController()

  constructor(private readonly deps: ScheduleTimerDeps) {}

  /** Called when something was scheduled for this time, in milliseconds since 1970. */
  schedule(at: number): void {
    if (at >= this.nextCheck) return
    this.nextCheck = at
    this.alarm.abort()
  }

  /** Ends when `signal` aborts and the current poll has finished. Errors are logged and retried. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.nextCheck = Infinity
      const latest = performance.now() + MAX_WAIT
      await this.poll()
      await this.waitForNextCheck(latest, signal)
    }
  }

  private async poll(): Promise<void> {
    try {
      const next = await this.deps.startDue()
      if (next !== undefined) this.schedule(next)
    } catch (error) {
      this.deps.logger.error({ err: error }, `${this.deps.of}: the check failed and will be retried`)
    }
  }

  private async waitForNextCheck(latest: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const left = Math.min(this.nextCheck - Date.now(), latest - performance.now())
      if (left <= 0) return
      this.alarm = new AbortController()
      await pause(left, AbortSignal.any([signal, this.alarm.signal]))
    }
  }
}
