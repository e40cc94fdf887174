import PQueue from 'p-queue'

import type { Logger } from '../../lib/logger.js'
import { MINUTE } from '../../lib/time-units.js'
import { ScheduleTimer } from './schedule-timer.js'

/** A stored task and when it is due next, in milliseconds since 1970. */
export interface Due {
  id: number
  due_at: number
}

/** Short tasks of one kind that are repeated until they are done, and their queries. */
export interface DueWork<Item extends Due> {
  /** Name for the log: `Builds of CI servers`. */
  of: string
  /** The tasks that are due, the longest due first. */
  find: (now: number, limit: number) => Promise<Item[]>
  /** When the first task is due; undefined without tasks. */
  nextDueAt: () => Promise<number | undefined>
  /** Makes the task due at `until`, if it is still due as `item` says. False if another coordinator was first. */
  claim: (item: Item, until: number) => Promise<boolean>
  /** Performs the task, and deletes it or sets when it is due next. After an error it is due when its claim ends. */
  perform: (item: Item, signal: AbortSignal) => Promise<void>
  logger: Logger
}

/** Milliseconds for which a task is claimed; longer than any takes. */
const LEASE = MINUTE
const AT_ONCE = 4
const PER_LOOK = 100

/**
 * Performs tasks when they are due. Every coordinator runs such a worker; each attempt is made by the one that claims it.
 * If it dies, the task is due again when the claim ends.
 *
 *     schedule, or a task is due ──▶ poll: claim due tasks ──▶ perform each
 */
export class DueWorker<Item extends Due> {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private readonly underWay = new Set<number>()
  private readonly timer: ScheduleTimer
  private stopping: AbortSignal = new AbortController().signal

  constructor(private readonly work: DueWork<Item>) {
    this.timer = new ScheduleTimer({ of: work.of, startDue: () => this.poll(), logger: work.logger })
  }

  /** Called when a task was stored that is due at this time. */
  schedule(at: number): void {
    this.timer.schedule(at)
  }

  /** Ends when `signal` aborts and the attempts under way have ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.stopping = signal
    await this.timer.run(signal)
    this.queue.clear()
    await this.queue.onIdle()
  }

  /** Starts the due attempts; returns the time of the next poll. */
  private async poll(): Promise<number | undefined> {
    const { find, nextDueAt } = this.work
    const now = Date.now()
    for (const item of await find(now, PER_LOOK)) {
      if (this.underWay.has(item.id)) continue
      this.underWay.add(item.id)
      void this.queue.add(() => this.attempt(item))
    }
    const next = await nextDueAt()
    // Due tasks are running already, and the end of each starts another poll.
    return next !== undefined && next > now ? next : undefined
  }

  /** Never rejects. */
  private async attempt(item: Item): Promise<void> {
    const { claim, perform, of, logger } = this.work
    try {
      if (await claim(item, Date.now() + LEASE)) await perform(item, this.stopping)
    } catch (error) {
      if (!this.stopping.aborted) {
        logger.error({ err: error, task: item.id }, `${of}: an attempt failed; it will be repeated`)
      }
    } finally {
      this.underWay.delete(item.id)
      if (this.underWay.size === 0) this.timer.schedule(0)
    }
  }
}
