import PQueue from 'p-queue'

import type { Logger } from '../../lib/logger.js'
import { HOUR } from '../../lib/time-units.js'
import { ScheduleTimer } from './schedule-timer.js'

/** A stored task that a coordinator has to perform. */
export interface Claimable {
  id: number
  /** For the log; none for tasks of several projects. */
  project_id?: number
  /** Time until which the claiming coordinator counts as alive; null = not claimed. */
  claimed_until: number | null
}

/** Long tasks of one kind, and their queries. */
export interface ClaimedWork<Item extends Claimable> {
  /** Name for the log: `Imports`. */
  of: string
  /** The open tasks, oldest first. */
  find: () => Promise<Item[]>
  /** Claims the task until the given time; false if another coordinator has claimed or completed it. */
  claim: (item: Item, until: number) => Promise<boolean>
  /** Extends the claim; null releases it. */
  renew: (item: Item, until: number | null) => Promise<void>
  /** Performs the task and records its completion. */
  perform: (item: Item, signal: AbortSignal) => Promise<void>
  /** Records that the task has failed. */
  abort: (item: Item, error: unknown) => Promise<void>
  logger: Logger
  /** Maximum duration of one task, in milliseconds; 2 hours by default. */
  maxDuration?: number
}

const AT_ONCE = 2
/** How long a claim lasts without renewal, in seconds, and how often it is renewed in that time. */
const CLAIM_SECONDS = 60
const RENEWALS = 3
/** Milliseconds. */
const DEFAULT_DURATION = 2 * HOUR

/**
 * Runs long tasks in the background. The tasks are stored: if a coordinator dies, another one takes over
 * after the claim expires.
 *
 *     wake, an expired claim, or a minute ──▶ poll: each unclaimed task ──▶ claim ──▶ perform, or fail
 */
export class ClaimedWorker<Item extends Claimable> {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private readonly underWay = new Set<number>()
  private readonly timer: ScheduleTimer
  private stopping: AbortSignal = new AbortController().signal
  /** Milliseconds. */
  private lifetime = CLAIM_SECONDS * 1000

  constructor(private readonly work: ClaimedWork<Item>) {
    this.timer = new ScheduleTimer({ of: work.of, startDue: () => this.poll(), logger: work.logger })
  }

  /** Called when a task was added. */
  wake(): void {
    this.timer.schedule(0)
  }

  /**
   * Ends when `signal` aborts; running tasks are then released for the next start. `claimSeconds` is how long the tasks of
   * a killed coordinator wait for another one.
   */
  async run(signal: AbortSignal, claimSeconds = CLAIM_SECONDS): Promise<void> {
    this.stopping = signal
    this.lifetime = claimSeconds * 1000
    await this.timer.run(signal)
    this.queue.clear()
    await this.queue.onIdle()
  }

  /** Starts the available tasks; returns when the first claim of another coordinator expires. */
  private async poll(): Promise<number | undefined> {
    const claims: number[] = []
    for (const item of await this.work.find()) {
      if (this.underWay.has(item.id)) continue
      if (item.claimed_until !== null && item.claimed_until >= Date.now()) {
        claims.push(item.claimed_until + 1)
        continue
      }
      this.underWay.add(item.id)
      void this.queue.add(() => this.take(item))
    }
    return claims.length === 0 ? undefined : Math.min(...claims)
  }

  /** Never rejects. */
  private async take(item: Item): Promise<void> {
    const { claim, of, logger } = this.work
    try {
      if (await claim(item, Date.now() + this.lifetime)) await this.perform(item)
    } catch (error) {
      logger.error(
        { err: error, project: item.project_id },
        `${of}: failed to claim or complete a task; it will be retried`,
      )
    } finally {
      this.underWay.delete(item.id)
    }
  }

  private async perform(item: Item): Promise<void> {
    const { work } = this
    const renewal = setInterval(() => this.stayAlive(item), this.lifetime / RENEWALS)
    try {
      const deadline = AbortSignal.timeout(work.maxDuration ?? DEFAULT_DURATION)
      await work.perform(item, AbortSignal.any([this.stopping, deadline]))
    } catch (error) {
      if (this.stopping.aborted) {
        await work.renew(item, null)
        return
      }
      work.logger.warn({ err: error, project: item.project_id }, `${work.of}: a task failed`)
      await work.abort(item, error)
    } finally {
      clearInterval(renewal)
    }
  }

  private stayAlive(item: Item): void {
    const { renew, of, logger } = this.work
    renew(item, Date.now() + this.lifetime).catch((error: unknown) => {
      logger.warn(
        { err: error, project: item.project_id },
        `${of}: another coordinator may consider a running task abandoned`,
      )
    })
  }
}
