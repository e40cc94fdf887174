import PQueue from 'p-queue'

import type { Logger } from '../../lib/logger.js'
import { ScheduleTimer } from './schedule-timer.js'

/** Something that stands in the store until a coordinator has done it. */
export interface Claimable {
  id: number
  project_id: number
  /** Until when the coordinator that is at it is believed to be alive; null = nobody is. */
  claimed_until: number | null
}

/** Long work of one kind, and how the store keeps it. */
export interface ClaimedWork<Item extends Claimable> {
  /** For the log: `Imports`. */
  of: string
  /** What is left to be done, in the order in which it was asked for. */
  find: () => Promise<Item[]>
  /** Makes it the caller's own until then; false when somebody else is at it, or has done it. */
  claim: (item: Item, until: number) => Promise<boolean>
  /** Says that its owner is still at it; null gives it back. */
  keep: (item: Item, until: number | null) => Promise<void>
  /** Does it, and writes down that it is done. */
  perform: (item: Item, signal: AbortSignal) => Promise<void>
  /** Writes down that it cannot be done. */
  abort: (item: Item, error: unknown) => Promise<void>
  logger: Logger
}

const AT_ONCE = 2
/** How long a coordinator that says nothing is believed to be alive, and how often one says so. Milliseconds. */
const BELIEVED = 60 * 1000
const SAID_EVERY = 20 * 1000
/** How long one item may take. Milliseconds. */
const LONGEST = 2 * 3600 * 1000

/**
 * Does long work behind people's backs. What is to be done stands in the store: what a coordinator leaves that dies, any
 * other takes up once its claim is over.
 *
 *     wake, a claim is over, or a minute ──▶ look: each item that nobody has claimed ──▶ claim ──▶ perform, or give up
 */
export class ClaimedWorker<Item extends Claimable> {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private readonly underWay = new Set<number>()
  private readonly timer: ScheduleTimer
  private stopping: AbortSignal = new AbortController().signal

  constructor(private readonly work: ClaimedWork<Item>) {
    this.timer = new ScheduleTimer({ of: work.of, startDue: () => this.look(), logger: work.logger })
  }

  /** Something has been left to be done. */
  wake(): void {
    this.timer.note(0)
  }

  /** Ends when `signal` aborts; what is under way then is given back for the next start. */
  async run(signal: AbortSignal): Promise<void> {
    this.stopping = signal
    await this.timer.run(signal)
    this.queue.clear()
    await this.queue.onIdle()
  }

  /** Starts what there is to do; answers when the first claim of another is over. */
  private async look(): Promise<number | undefined> {
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
      if (await claim(item, Date.now() + BELIEVED)) await this.perform(item)
    } catch (error) {
      logger.error({ err: error, project: item.project_id }, `${of}: one is left for later`)
    } finally {
      this.underWay.delete(item.id)
    }
  }

  private async perform(item: Item): Promise<void> {
    const { work } = this
    const keep = setInterval(() => this.stayAlive(item), SAID_EVERY)
    try {
      await work.perform(item, AbortSignal.any([this.stopping, AbortSignal.timeout(LONGEST)]))
    } catch (error) {
      if (this.stopping.aborted) {
        await work.keep(item, null)
        return
      }
      work.logger.warn({ err: error, project: item.project_id }, `${work.of}: one failed`)
      await work.abort(item, error)
    } finally {
      clearInterval(keep)
    }
  }

  private stayAlive(item: Item): void {
    const { keep, of, logger } = this.work
    keep(item, Date.now() + BELIEVED).catch((error: unknown) => {
      logger.warn({ err: error, project: item.project_id }, `${of}: one may be taken for abandoned`)
    })
  }
}
