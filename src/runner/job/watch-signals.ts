import { linkSignals } from '../../lib/link-signals.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import type { TraceSender } from '../trace/trace-sender.js'

export interface SignalWatchDeps {
  client: Pick<CoordinatorClient, 'waitForSignal'>
  job: JobIdentity
  sender: Pick<TraceSender, 'applySignals' | 'setSignaled'>
  logger: Logger
  /** Milliseconds before a failed request is repeated. Doubles on each failure, up to `MAX_DELAY`. */
  firstDelay: number
}

/** `over`: the job no longer belongs to this runner. `useless`: the coordinator does not support these requests. */
type SignalResult = 'news' | 'nothing' | 'failed' | 'over' | 'useless'

/** Coordinators hold a request for about 50 s. A connection that is silent for longer is dead. */
const MAX_HELD = 90_000
/**
 * A response without a new status that arrives sooner was not held: the coordinator is stopping or does not hold
 * requests.
 */
const MIN_HELD = 500
const MAX_DELAY = 30_000

/**
 * Keeps one request open at a coordinator that supports it (`features.job_signals`). A job that prints nothing is
 * thereby notified of a cancellation at once:
 *
 *     held ── another status ──▶ processed ──▶ held again with that status
 *       ├── 204, hold time is over ──▶ held again
 *       ├── failed, or answered without being held ──▶ again later; until then heartbeats are frequent
 *       └── 403 ──▶ processed, the end;  404 ──▶ the end
 */
export class SignalWatch {
  private readonly ending = new AbortController()
  private status = 'running'
  private failures = 0
  private loop: Promise<void> = Promise.resolve()

  constructor(private readonly deps: SignalWatchDeps) {}

  start(): void {
    this.loop = this.run()
  }

  /** Aborts the open request. May be called more than once. */
  async stop(): Promise<void> {
    this.ending.abort()
    await this.loop
  }

  private async run(): Promise<void> {
    const { signal } = this.ending
    while (!signal.aborted) {
      const result = await this.requestOnce(signal)
      if (result === 'over' || result === 'useless') break
      this.failures = result === 'failed' ? this.failures + 1 : 0
      this.deps.sender.setSignaled(result !== 'failed')
      if (result === 'failed') await pause(this.delay(), signal)
    }
    this.deps.sender.setSignaled(false)
  }

  private async requestOnce(signal: AbortSignal): Promise<SignalResult> {
    const { client, job, sender, logger } = this.deps
    const begun = performance.now()
    const timeout = linkSignals(signal, AbortSignal.timeout(MAX_HELD))
    try {
      const answer = await client.waitForSignal(job, this.status, timeout.signal)
      if (answer.status === 404) return 'useless'
      if (![200, 204, 403].includes(answer.status)) return 'failed'
      sender.applySignals(answer)
      if (answer.status === 403) return 'over'
      const isNews = answer.jobStatus !== undefined && answer.jobStatus !== this.status
      this.status = answer.jobStatus ?? this.status
      if (isNews) return 'news'
      return performance.now() - begun < MIN_HELD ? 'failed' : 'nothing'
    } catch (error) {
      if (!signal.aborted)
        logger.debug({ job: job.id, err: error }, 'The request for the status of the job failed')
      return 'failed'
    } finally {
      timeout.release()
    }
  }

  private delay(): number {
    return withJitter(Math.min(this.deps.firstDelay * 2 ** (this.failures - 1), MAX_DELAY))
  }
}
