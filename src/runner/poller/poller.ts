import PQueue from 'p-queue'

import { deferred } from '../../lib/deferred.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobRequestAnswer } from '../client/coordinator-client.js'
import type { ReceivedJob } from '../client/job-answer.js'
import type { RunnerRegistration } from '../config/settings.js'
import { AdaptiveConcurrency } from './adaptive-concurrency.js'
import { Health } from './health.js'
import type { JobSlots } from './job-slots.js'

/** What may change while a poller works. */
export interface PollerSettings {
  entry: Pick<
    RunnerRegistration,
    | 'name'
    | 'limit'
    | 'requestConcurrency'
    | 'strictCheckInterval'
    | 'unhealthyRequestsLimit'
    | 'unhealthyIntervalSeconds'
  >
  /** Milliseconds. */
  checkInterval: number
}

export interface PollerOptions {
  client: Pick<CoordinatorClient, 'requestJob'>
  slots: JobSlots
  /** Closed while there is no room for jobs. */
  gate?: { passed(signal: AbortSignal): Promise<void> } | undefined
  /** Takes a job to its end; never rejects. */
  dispatch: (job: ReceivedJob) => Promise<void>
  /** Hears of it when the entry begins to rest after refusals. */
  onRest: () => void
  logger: () => Logger
}

interface Turn {
  result: JobRequestAnswer['kind'] | 'failed' | 'stopped'
  /** Milliseconds that the request took. */
  took: number
}

const STOPPED: Turn = { result: 'stopped', took: 0 }

const MAX_BACK_OFF = 60_000

/**
 * Asks one coordinator for work, for one `[[runners]]` entry.
 *
 *     a place in the entry (limit) ─▶ a place in the process (concurrent) ─▶ request ─▶ job, in the same place
 *                                                                             └─▶ none: place given back, pause
 *
 * The next request begins as soon as an answer is there, while the job it brought still runs: it waits for a place of
 * its own. So a request is open only while there is room for what it may bring.
 */
export class Poller {
  private readonly own: PQueue
  private readonly health: Health
  private readonly concurrency: AdaptiveConcurrency
  private readonly openSince = new Set<{ since: number }>()
  private runs = 0
  private failures = 0
  /**
   * One request may follow another at once: the first of all only brings the queue's version, without which none is
   * held, and the end of a held one may mean that there is a job now (runner protocol, 2.3).
   */
  private mayAskAgain = true

  constructor(
    private readonly options: PollerOptions,
    private settings: PollerSettings,
  ) {
    const { entry } = settings
    this.own = new PQueue({ concurrency: entry.limit ?? Infinity })
    this.health = new Health(entry.unhealthyRequestsLimit, entry.unhealthyIntervalSeconds * 1000)
    this.concurrency = new AdaptiveConcurrency(entry.requestConcurrency)
  }

  /** Requests from now on follow `settings`; one that is open stays open. */
  apply(settings: PollerSettings): void {
    const { entry } = settings
    this.settings = settings
    this.own.concurrency = entry.limit ?? Infinity
    this.health.limitTo(entry.unhealthyRequestsLimit, entry.unhealthyIntervalSeconds * 1000)
    this.concurrency.limitTo(entry.requestConcurrency)
  }

  /** Asks until `signal` aborts. Resolves when no request is open any more; jobs may still run. */
  async run(signal: AbortSignal): Promise<void> {
    const { slots } = this.options
    const loops = new Map<number, Promise<void>>()
    const fill = () => {
      if (signal.aborted) return
      for (let index = 0; index < this.concurrency.allowed; index++) {
        if (!loops.has(index))
          loops.set(
            index,
            this.loop(index, signal, fill).finally(() => loops.delete(index)),
          )
      }
    }
    this.runs++
    slots.join(this)
    fill()
    while (loops.size > 0) await Promise.all(loops.values())
    // A run that was stopped may end after the next one has begun.
    if (--this.runs === 0) slots.leave(this)
  }

  /** Takes a place for a job that runs already, whether there is one or not. */
  async occupy(work: () => Promise<void>): Promise<void> {
    const running = this.options.slots.runNow(work)
    await this.own.add(() => running, { priority: 1 })
  }

  /** Forgets the refusals; to be called between two runs. */
  forgive(): void {
    this.health.reset()
  }

  /** The coordinator had to be asked again before it answered (runner protocol, 6.6). */
  noteTrouble(): void {
    this.concurrency.hadTrouble()
  }

  get openRequests(): number {
    return this.openSince.size
  }

  /** Requests that may be open at a time, as things go. */
  get allowedRequests(): number {
    return this.concurrency.allowed
  }

  /** Milliseconds that the oldest open request has taken so far. */
  get longestRequest(): number {
    const [oldest] = this.openSince
    return oldest ? Date.now() - oldest.since : 0
  }

  /** Milliseconds that the entry still rests after refusals. */
  get rest(): number {
    return this.health.rest
  }

  /** The first loop asks for as long as `signal` lets it, others for as long as there may be that many. */
  private async loop(index: number, signal: AbortSignal, fill: () => void): Promise<void> {
    while (!signal.aborted && index < this.concurrency.allowed) {
      await pause(this.health.rest, signal)
      await this.options.gate?.passed(signal)
      const turn = await this.turn(signal)
      const rest = this.pauseAfter(turn)
      fill()
      await pause(rest, signal)
    }
  }

  /** One request; the job it brings runs on after this is answered. Who waits for a place does not wait for it when stopped. */
  private async turn(signal: AbortSignal): Promise<Turn> {
    const answered = deferred<Turn>()
    const stop = () => answered.resolve(STOPPED)
    signal.addEventListener('abort', stop)
    const work = async () => {
      signal.removeEventListener('abort', stop)
      const { turn, job } = await this.ask(signal)
      answered.resolve(turn)
      if (job) await this.options.dispatch(job)
    }
    this.own.add(() => this.options.slots.run(work)).catch((error: unknown) => answered.reject(error))
    return await answered.promise
  }

  private async ask(signal: AbortSignal): Promise<{ turn: Turn; job?: ReceivedJob }> {
    const isStopped = () => signal.aborted
    if (isStopped()) return { turn: STOPPED }
    const start = Date.now()
    const open = { since: start }
    this.openSince.add(open)
    try {
      const { slots, client } = this.options
      const answer = await slots.ask(this, (mayBeHeld) => client.requestJob({ mayBeHeld, signal }))
      const turn: Turn = { result: answer.kind, took: Date.now() - start }
      return answer.kind === 'job' || answer.kind === 'unreadable' ? { turn, job: answer } : { turn }
    } catch (error) {
      if (isStopped()) return { turn: STOPPED }
      this.options.logger().warn({ err: error }, 'Asking for a job failed')
      return { turn: { result: 'failed', took: Date.now() - start } }
    } finally {
      this.openSince.delete(open)
    }
  }

  /** Milliseconds between a turn and the next, counted so that requests begin at most once per interval. */
  private pauseAfter({ result, took }: Turn): number {
    const rest = Math.max(0, this.settings.checkInterval - took)
    this.failures = result === 'failed' ? this.failures + 1 : 0
    if (result !== 'forbidden' && result !== 'stopped') this.health.good()
    switch (result) {
      case 'job':
      case 'unreadable':
        this.mayAskAgain = true
        this.concurrency.foundJob()
        return this.settings.entry.strictCheckInterval ? rest : 0
      case 'none':
        this.concurrency.foundNone()
        return this.pauseWithoutJob(rest)
      case 'failed':
        this.concurrency.hadTrouble()
        return withJitter(Math.min(this.settings.checkInterval * 2 ** (this.failures - 1), MAX_BACK_OFF))
      case 'forbidden':
        this.noteRefusal()
        return rest
      case 'stopped':
        return 0
    }
  }

  private pauseWithoutJob(rest: number): number {
    const isAtOnce = rest === 0 || this.mayAskAgain
    this.mayAskAgain = rest === 0
    return isAtOnce ? 0 : rest
  }

  private noteRefusal(): void {
    const logger = this.options.logger()
    logger.error('The coordinator does not know this runner: its token is not valid')
    if (!this.health.strike()) return
    logger.error(`No more requests for ${this.settings.entry.unhealthyIntervalSeconds} seconds`)
    this.options.onRest()
  }
}
