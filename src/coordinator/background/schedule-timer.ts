import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'

/** What a coordinator scheduled which is gone is found within this time. Milliseconds. */
const LONGEST_WAIT = 60 * 1000

export interface ScheduleTimerDeps {
  /** What it starts, for the log: `Delayed jobs`. */
  of: string
  /** Starts what is due; answers when the next is due, in milliseconds since 1970. */
  startDue: () => Promise<number | undefined>
  logger: Logger
}

/**
 * Wakes when the next thing is due that has a time: a delayed job (CI language, 11.4), a scheduled pipeline, the repetition
 * of a delivery. The times stand in the store, so that a coordinator that starts carries on with them; of those on one
 * store each wakes for what it scheduled itself, and one that is first leaves nothing to do for the others.
 *
 *     look: start what is due ──▶ wait for the next due time, at most LONGEST_WAIT ──▶ look
 *                                   ▲ something is scheduled that is due earlier
 */
export class ScheduleTimer {
  private nextLook = 0
  private alarm = new AbortController()

  constructor(private readonly deps: ScheduleTimerDeps) {}

  /** Something has been scheduled for this time, in milliseconds since 1970. */
  note(at: number): void {
    if (at >= this.nextLook) return
    this.nextLook = at
    this.alarm.abort()
  }

  /** Ends when `signal` aborts and the look under way is over. A look that fails is logged, and made again later. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.nextLook = Date.now() + LONGEST_WAIT
      await this.look()
      await this.waitForNextLook(signal)
    }
  }

  private async look(): Promise<void> {
    try {
      const next = await this.deps.startDue()
      if (next !== undefined) this.note(next)
    } catch (error) {
      this.deps.logger.error({ err: error }, `${this.deps.of} could not be looked for; they will be again`)
    }
  }

  private async waitForNextLook(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && Date.now() < this.nextLook) {
      this.alarm = new AbortController()
      await pause(this.nextLook - Date.now(), AbortSignal.any([signal, this.alarm.signal]))
    }
  }
}
