import PQueue from 'p-queue'

import { deferred } from '../lib/deferred.js'
import type { Logger } from '../lib/logger.js'
import { pause, withJitter } from '../lib/pause.js'
import type { CoordinatorClient, JobRequestAnswer } from './client.js'
import type { RunnerEntry } from './config/settings.js'
import { Health } from './health.js'
import type { ReceivedJob } from './job-answer.js'
import type { JobSlots } from './job-slots.js'

export interface PollerOptions {
  entry: Pick<
    RunnerEntry,
    | 'name'
    | 'limit'
    | 'requestConcurrency'
    | 'strictCheckInterval'
    | 'unhealthyRequestsLimit'
    | 'unhealthyIntervalSeconds'
  >
  client: Pick<CoordinatorClient, 'requestJob'>
  slots: JobSlots
  checkInterval: number
  /** Closed while there is no room for jobs. */
  gate?: { passed(signal: AbortSignal): Promise<void> } | undefined
  /** Takes a job to its end; never rejects. */
  dispatch: (job: ReceivedJob) => Promise<void>
  logger: Logger
}

interface Turn {
  result: JobRequestAnswer['kind'] | 'failed' | 'stopped'
  /** Milliseconds that the request took. */
  took: number
}

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
  private failures = 0
  /**
   * One request may follow another at once: the first of all only brings the queue's version, without which none is
   * held, and the end of a held one may mean that there is a job now (runner protocol, 2.3).
   */
  private mayAskAgain = true

  constructor(private readonly options: PollerOptions) {
    const { entry, slots } = options
    slots.join(this)
    this.own = new PQueue({ concurrency: entry.limit ?? Infinity })
    this.health = new Health(entry.unhealthyRequestsLimit, entry.unhealthyIntervalSeconds * 1000)
  }

  /** Asks until `signal` aborts. Resolves when no request is open any more; jobs may still run. */
  async run(signal: AbortSignal): Promise<void> {
    const loops = Array.from({ length: this.options.entry.requestConcurrency }, () => this.loop(signal))
    await Promise.all(loops)
  }

  /** Takes a place for a job that runs already, whether there is one or not. */
  async occupy(work: () => Promise<void>): Promise<void> {
    const running = this.options.slots.runNow(work)
    await this.own.add(() => running, { priority: 1 })
  }

  private async loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.health.rest, signal)
      await this.options.gate?.passed(signal)
      const turn = await this.turn(signal)
      await pause(this.pauseAfter(turn), signal)
    }
  }

  /** One request; the job it brings runs on after this is answered. */
  private turn(signal: AbortSignal): Promise<Turn> {
    const answered = deferred<Turn>()
    const work = async () => {
      const { turn, job } = await this.ask(signal)
      answered.resolve(turn)
      if (job) await this.options.dispatch(job)
    }
    this.own.add(() => this.options.slots.run(work)).catch((error: unknown) => answered.reject(error))
    return answered.promise
  }

  private async ask(signal: AbortSignal): Promise<{ turn: Turn; job?: ReceivedJob }> {
    const isStopped = () => signal.aborted
    if (isStopped()) return { turn: { result: 'stopped', took: 0 } }
    const start = Date.now()
    try {
      const { slots, client } = this.options
      const answer = await slots.ask(this, (mayBeHeld) => client.requestJob({ mayBeHeld, signal }))
      const turn: Turn = { result: answer.kind, took: Date.now() - start }
      return answer.kind === 'job' || answer.kind === 'unreadable' ? { turn, job: answer } : { turn }
    } catch (error) {
      if (isStopped()) return { turn: { result: 'stopped', took: 0 } }
      this.options.logger.warn({ runner: this.options.entry.name, err: error }, 'Asking for a job failed')
      return { turn: { result: 'failed', took: Date.now() - start } }
    }
  }

  /** Milliseconds between a turn and the next, counted so that requests begin at most once per interval. */
  private pauseAfter({ result, took }: Turn): number {
    const rest = Math.max(0, this.options.checkInterval - took)
    this.failures = result === 'failed' ? this.failures + 1 : 0
    if (result !== 'forbidden' && result !== 'stopped') this.health.good()
    switch (result) {
      case 'job':
      case 'unreadable':
        this.mayAskAgain = true
        return this.options.entry.strictCheckInterval ? rest : 0
      case 'none':
        return this.pauseWithoutJob(rest)
      case 'failed':
        return withJitter(Math.min(this.options.checkInterval * 2 ** (this.failures - 1), MAX_BACK_OFF))
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
    const { logger, entry } = this.options
    logger.error({ runner: entry.name }, 'The coordinator does not know this runner: its token is not valid')
    if (this.health.strike()) {
      logger.error({ runner: entry.name }, `No more requests for ${entry.unhealthyIntervalSeconds} seconds`)
    }
  }
}
