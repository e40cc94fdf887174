import PQueue from 'p-queue'

import { linkSignals } from '../../lib/link-signals.js'
import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'

/**
 * How long a request waits for a deletion, in milliseconds. Most deletions end sooner, so that clients find no remains.
 */
const PATIENCE = 2000
/** More would only wait for each other in the database. */
const AT_ONCE = 2

/**
 * Runs deletions in the background. What is deleted must be recorded before, so that a periodic task starts the deletion
 * again after a failure or a stop.
 */
export class Deletions {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private readonly underWay = new Map<string, Promise<void>>()
  private readonly stopping = new AbortController()

  constructor(private readonly logger: Logger) {}

  /**
   * Starts a deletion unless it is under way; returns when it has ended, or after two seconds. `what` names it, such as
   * `project 7`. A failure is logged. `work` ends early, with an error, when its signal aborts.
   */
  async start(what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.stopping.signal.aborted) return
    const running = this.underWay.get(what) ?? this.add(what, work)
    const ended = new AbortController()
    const waiting = linkSignals(ended.signal, this.stopping.signal)
    await Promise.race([running, pause(PATIENCE, waiting.signal)])
    ended.abort()
    waiting.release()
  }

  /** Interrupts the deletions under way; returns when they have ended. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await Promise.all(this.underWay.values())
  }

  private add(what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const running = this.queue.add(() => this.run(what, work))
    this.underWay.set(what, running)
    return running
  }

  private async run(what: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.stopping
    try {
      if (!signal.aborted) await work(signal)
    } catch (error) {
      if (!signal.aborted)
        this.logger.error({ err: error }, `Failed to delete all of ${what}; a later run retries`)
    } finally {
      this.underWay.delete(what)
    }
  }
}
