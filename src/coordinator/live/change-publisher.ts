import type { Logger } from '../../lib/logger.js'
import { type Changes, GatheredChanges } from './changes.js'

export interface ChangePublisherDeps {
  logger: Logger
  /** Minimum time between two publications, in milliseconds. */
  gather: number
  /** Whether a stream has a topic of this publisher. */
  isWanted: () => boolean
  publish: (changes: GatheredChanges) => Promise<void>
  /** Changes could not be read, so streams have missed them. */
  onFailed: () => void
}

/**
 * How many times longer than a publication takes the next one waits. While a coordinator has much to do, publications take
 * long, and each delays requests.
 */
const PAUSES = 4
/** Milliseconds; pages show a change within that time. */
const MAX_PAUSE = 250

/** Gathers changes and publishes them, one publication after the other. */
export class ChangePublisher {
  private gathered: GatheredChanges | undefined
  private timer: NodeJS.Timeout | undefined
  private publishing: Promise<void> | undefined
  /** When the next publication may begin, on the clock of `performance`. */
  private nextAt = -Infinity

  constructor(private readonly deps: ChangePublisherDeps) {}

  add(changes: Changes): void {
    if (!this.deps.isWanted()) return
    this.gathered ??= new GatheredChanges()
    this.gathered.add(changes)
    this.schedule()
  }

  /** Ends when the running publication is done. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.gathered = undefined
    await this.publishing
  }

  private schedule(): void {
    if (this.timer || this.publishing) return
    const wait = Math.max(0, this.nextAt - performance.now())
    this.timer = setTimeout(() => this.publish(), wait)
  }

  private publish(): void {
    const { gathered, deps } = this
    this.timer = undefined
    this.gathered = undefined
    if (!gathered || !deps.isWanted()) return
    const began = performance.now()
    this.publishing = deps
      .publish(gathered)
      .catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'Failed to publish changes to live streams')
        deps.onFailed()
      })
      .finally(() => {
        const took = performance.now() - began
        this.nextAt = began + Math.max(deps.gather, Math.min(PAUSES * took, MAX_PAUSE))
        this.publishing = undefined
        if (this.gathered) this.schedule()
      })
  }
}
