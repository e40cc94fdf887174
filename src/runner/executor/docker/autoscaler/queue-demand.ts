import type { Logger } from '../../../../lib/logger.js'
import { pause, withJitter } from '../../../../lib/pause.js'
import type { Demand } from './demand.js'

/** Milliseconds between two requests to a coordinator that does not report its queue. It may be upgraded. */
const UNSUPPORTED_PAUSE = 10 * 60_000

export interface QueueDemandOptions {
  /** Number of waiting jobs that the runner may take. Undefined if the coordinator does not report it. */
  countQueued: (signal: AbortSignal) => Promise<number | undefined>
  /** Milliseconds between two requests. */
  interval: number
  logger: Logger
}

/** The jobs that wait for this runner in the queue of the coordinator, if the coordinator reports them. */
export class QueueDemand implements Demand {
  private count = 0
  private received = 0
  private isFailureLogged = false

  constructor(private readonly options: QueueDemandOptions) {}

  get queued(): number {
    return Math.max(0, this.count - this.received)
  }

  jobReceived(): void {
    this.received++
  }

  async run(onChange: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isSupported = await this.read(onChange, signal)
      await pause(withJitter(isSupported ? this.options.interval : UNSUPPORTED_PAUSE), signal)
    }
  }

  /** Returns false if the coordinator does not report its queue. */
  private async read(onChange: () => void, signal: AbortSignal): Promise<boolean> {
    try {
      // Jobs that are received from now on may be in the count or not.
      this.received = 0
      const count = await this.options.countQueued(signal)
      const before = this.queued
      this.count = count ?? 0
      if (this.queued !== before) onChange()
      this.isFailureLogged = false
      return count !== undefined
    } catch (error) {
      if (signal.aborted) return true
      const level = this.isFailureLogged ? 'debug' : 'warn'
      this.options.logger[level]({ err: error }, 'The queue of the coordinator could not be read')
      this.isFailureLogged = true
      return true
    }
  }
}
