import PQueue from 'p-queue'

import { deferred } from '../../lib/deferred.js'
import type { Gate } from '../../lib/gate.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobRequestResponse } from '../client/coordinator-client.js'
import { failureLevel } from '../client/errors.js'
import type { ReceivedJob } from '../client/job-response.js'
import type { RunnerRegistration } from '../config/settings.js'
import type { JobSlots } from './job-slots.js'

/** Settings that may change while a poller runs. */
export interface PollerSettings {
  registration: Pick<
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
  /** Closed while there is not enough disk space for jobs. */
  gate?: { passed(signal: AbortSignal): Promise<void> } | undefined
  /** Closed while the engine that runs the jobs does not respond. */
  engine?: Gate | undefined
  /** Runs a job to its end. Never rejects. */
  dispatch: (job: ReceivedJob) => Promise<void>
  /** Called when the registration begins to pause after refusals. */
  onRest: () => void
  logger: () => Logger
}

interface RequestOutcome {
  result: JobRequestResponse['kind'] | 'failed' | 'stopped'
  /** Duration of the request in milliseconds. */
  took: number
}

const STOPPED: RequestOutcome = { result: 'stopped', took: 0 }

const MAX_BACK_OFF = 25_000

/**
 * Requests jobs from one coordinator, for one `[[runners]]` table.
 *
 *     a slot of the registration (limit) ─▶ a slot of the process (concurrent) ─▶ request ─▶ job, in the same slot
 *                                                                                 └─▶ none: slot released, pause
 *
 * The next request starts as soon as a response arrives, while the received job still runs: it waits for a slot of
 * its own. So a request is open only while there is a slot for the job that it may return.
 */
export class Poller {
  private readonly own: PQueue
  private readonly health: Health
  private readonly concurrency: AdaptiveConcurrency
  private readonly openSince = new Set<{ since: number; abort: () => void }>()
  private runs = 0
  private failures = 0
  private isFailureLogged = false
  /**
   * Whether one more request may follow at once. The first response only contains the version of the queue, without
   * which no request is held. The end of a held request may mean that there is a job now (runner protocol, 2.3).
   */
  private mayRequestAgain = true

  constructor(
    private readonly options: PollerOptions,
    private settings: PollerSettings,
  ) {
    const { registration } = settings
    this.own = new PQueue({ concurrency: registration.limit ?? Infinity })
    this.health = new Health(
      registration.unhealthyRequestsLimit,
      registration.unhealthyIntervalSeconds * 1000,
    )
    this.concurrency = new AdaptiveConcurrency(registration.requestConcurrency)
  }

  /**
   * Applies `settings` to later requests. An open request stays open, unless there would be no slot of the registration
   * for its job.
   */
  apply(settings: PollerSettings): void {
    const { registration } = settings
    this.settings = settings
    this.own.concurrency = registration.limit ?? Infinity
    this.health.limitTo(registration.unhealthyRequestsLimit, registration.unhealthyIntervalSeconds * 1000)
    this.concurrency.limitTo(registration.requestConcurrency)
    const excess = this.own.pending - this.own.concurrency
    if (excess > 0) for (const { abort } of [...this.openSince].slice(-excess)) abort()
  }

  /** Requests jobs until `signal` aborts. Resolves when no request is open. Jobs may still be running. */
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
    // A stopped run may end after the next one has begun.
    if (--this.runs === 0) slots.leave(this)
  }

  /** Takes a slot for a job that already runs, even if none is free. */
  async occupy(work: () => Promise<void>): Promise<void> {
    const running = this.options.slots.runNow(work)
    await this.own.add(() => running, { priority: 1 })
  }

  /** Resets the count of refusals. Call it between two runs. */
  resetHealth(): void {
    this.health.reset()
  }

  /** Records that a request had to be repeated (runner protocol, 6.6). */
  recordTrouble(): void {
    this.concurrency.hadTrouble()
  }

  get openRequests(): number {
    return this.openSince.size
  }

  /** Current maximum number of open requests. */
  get allowedRequests(): number {
    return this.concurrency.allowed
  }

  /** Age of the oldest open request, in milliseconds. */
  get longestRequest(): number {
    const [oldest] = this.openSince
    return oldest ? Date.now() - oldest.since : 0
  }

  /** Remaining milliseconds of the pause after refusals. */
  get rest(): number {
    return this.health.rest
  }

  /** The first loop requests jobs until `signal` aborts. The others stop when fewer requests are allowed. */
  private async loop(index: number, signal: AbortSignal, fill: () => void): Promise<void> {
    while (!signal.aborted && index < this.concurrency.allowed) {
      await pause(this.health.rest, signal)
      await this.options.gate?.passed(signal)
      await this.options.engine?.passed(signal)
      const result = await this.requestOnce(signal)
      const rest = this.pauseAfter(result)
      fill()
      await pause(rest, signal)
    }
  }

  /**
   * Makes one request. Resolves when it is served, while its job continues. A wait for a slot ends when `signal`
   * aborts.
   */
  private async requestOnce(signal: AbortSignal): Promise<RequestOutcome> {
    const served = deferred<RequestOutcome>()
    const stop = () => served.resolve(STOPPED)
    signal.addEventListener('abort', stop)
    const work = async () => {
      signal.removeEventListener('abort', stop)
      const { outcome, job } = await this.requestJob(signal)
      served.resolve(outcome)
      if (job) await this.options.dispatch(job)
    }
    this.own.add(() => this.options.slots.run(work)).catch((error: unknown) => served.reject(error))
    return await served.promise
  }

  private async requestJob(signal: AbortSignal): Promise<{ outcome: RequestOutcome; job?: ReceivedJob }> {
    const { engine } = this.options
    return engine
      ? await engine.during(signal, (orEngineGone) => this.requestUntil(orEngineGone))
      : await this.requestUntil(signal)
  }

  private async requestUntil(signal: AbortSignal): Promise<{ outcome: RequestOutcome; job?: ReceivedJob }> {
    if (signal.aborted) return { outcome: STOPPED }
    const round = new AbortController()
    const abort = () => round.abort()
    const isStopped = () => round.signal.aborted
    const start = Date.now()
    const open = { since: start, abort }
    signal.addEventListener('abort', abort)
    this.openSince.add(open)
    try {
      const { slots, client } = this.options
      const response = await slots.request(this, (mayBeHeld) =>
        client.requestJob({ mayBeHeld, signal: round.signal }),
      )
      this.recordResponse()
      const outcome: RequestOutcome = { result: response.kind, took: Date.now() - start }
      return response.kind === 'job' || response.kind === 'unreadable'
        ? { outcome, job: response }
        : { outcome }
    } catch (error) {
      if (isStopped()) return { outcome: STOPPED }
      this.recordFailure(error)
      return { outcome: { result: 'failed', took: Date.now() - start } }
    } finally {
      signal.removeEventListener('abort', abort)
      this.openSince.delete(open)
    }
  }

  /** Logs the first failure of a series that the lost connection does not explain. */
  private recordFailure(error: unknown): void {
    const isNew = !this.isFailureLogged && failureLevel(error) === 'warn'
    this.options.logger()[isNew ? 'warn' : 'debug']({ err: error }, 'The request for a job failed')
    this.isFailureLogged ||= isNew
  }

  private recordResponse(): void {
    if (this.isFailureLogged) this.options.logger().info('Requests for jobs succeed again')
    this.isFailureLogged = false
  }

  /** Milliseconds from one request to the next, such that requests begin at most once per interval. */
  private pauseAfter({ result, took }: RequestOutcome): number {
    const rest = Math.max(0, this.settings.checkInterval - took)
    this.failures = result === 'failed' ? this.failures + 1 : 0
    if (result !== 'forbidden' && result !== 'stopped') this.health.recordSuccess()
    switch (result) {
      case 'job':
      case 'unreadable':
        this.mayRequestAgain = true
        this.concurrency.foundJob()
        return this.settings.registration.strictCheckInterval ? rest : 0
      case 'none':
        this.concurrency.foundNone()
        return this.pauseWithoutJob(rest)
      case 'failed':
        this.concurrency.hadTrouble()
        return withJitter(Math.min(this.settings.checkInterval * 2 ** (this.failures - 1), MAX_BACK_OFF))
      case 'forbidden':
        this.recordRefusal()
        return rest
      case 'stopped':
        return 0
    }
  }

  private pauseWithoutJob(rest: number): number {
    const isAtOnce = rest === 0 || this.mayRequestAgain
    this.mayRequestAgain = rest === 0
    return isAtOnce ? 0 : rest
  }

  private recordRefusal(): void {
    const logger = this.options.logger()
    logger.error('The coordinator does not know this runner: its token is invalid')
    if (!this.health.recordRefusal()) return
    logger.error(`Pausing job requests for ${this.settings.registration.unhealthyIntervalSeconds} seconds`)
    this.options.onRest()
  }
}

/**
 * Counts the refusals of one registration. After `limit` in a row it pauses, then makes one attempt at a time
 * (runner protocol, 2.2).
 */
export class Health {
  private strikes = 0
  private restUntil = 0

  constructor(
    private limit: number,
    private restMilliseconds: number,
  ) {}

  recordSuccess(): void {
    this.strikes = 0
  }

  /** Records a refusal. Returns whether the registration pauses now. */
  recordRefusal(): boolean {
    this.strikes++
    if (this.strikes < this.limit) return false
    this.restUntil = performance.now() + this.restMilliseconds
    return true
  }

  /** Sets limits that apply from now on. */
  limitTo(limit: number, restMilliseconds: number): void {
    this.limit = limit
    this.restMilliseconds = restMilliseconds
  }

  /** Resets the count, at the request of an administrator. */
  reset(): void {
    this.strikes = 0
    this.restUntil = 0
  }

  /** Milliseconds until the next request is allowed. */
  get rest(): number {
    return Math.max(0, this.restUntil - performance.now())
  }
}

const AFTER_A_JOB = 1.1
const AFTER_NONE = 0.95
const AFTER_TROUBLE = 0.5

/**
 * The number of job requests that one registration keeps open, between one and `most` (its `request_concurrency`).
 * It grows while requests return jobs. It shrinks while they do not, or while the coordinator has problems (runner
 * protocol, 6.6).
 */
export class AdaptiveConcurrency {
  private level = 1

  constructor(private most: number) {}

  get allowed(): number {
    return Math.min(Math.ceil(this.level), this.most)
  }

  limitTo(most: number): void {
    this.most = most
    this.move(1)
  }

  foundJob(): void {
    this.move(AFTER_A_JOB)
  }

  foundNone(): void {
    this.move(AFTER_NONE)
  }

  hadTrouble(): void {
    this.move(AFTER_TROUBLE)
  }

  private move(factor: number): void {
    this.level = Math.min(Math.max(this.level * factor, 1), this.most)
  }
}
