import type { JobProfile, RunnerProfile } from './match.js'

export interface QueuedJob extends JobProfile {
  jobId: number
  priority: number
}

/** News of one job in the queue, given to one request after another until one of them brings the job home. */
export interface Wake {
  job: QueuedJob
  /** Requests that have had their turn; each has one. */
  tried: Set<WaitingRequest>
  /** Came from another coordinator process. */
  fromElsewhere: boolean
}

export type WaitResult = 'woken' | 'timeout' | 'aborted'

export interface WaitingRequestListeners {
  unused: (wake: Wake) => void
  closed: () => void
}

/**
 * One open job request: it is registered, searches the queue, waits, searches again when it is woken, and closes.
 *
 *   searching or waiting ── wake ──> told ── `next` answers ──> searching for that job
 *                                     │                           │
 *                          close: somebody else's turn            ├─ the job leaves the queue: well used
 *                                                                 └─ close or `next` with the job still there:
 *                                                                    somebody else's turn
 */
export class WaitingRequest {
  /** A wake not acted on yet; without one of a job when everybody was woken. */
  private told: { wake: Wake | undefined } | undefined
  /** The wake that the present search follows. */
  private followed: Wake | undefined
  private endWait: ((result: WaitResult) => void) | undefined

  constructor(
    readonly profile: RunnerProfile,
    private readonly listeners: WaitingRequestListeners,
  ) {}

  /** Can be told of a job. */
  get isFree(): boolean {
    return this.told === undefined
  }

  get isWaiting(): boolean {
    return this.endWait !== undefined
  }

  wake(wake: Wake | undefined): void {
    this.told ??= { wake }
    this.endWait?.('woken')
  }

  settle(jobId: number): void {
    if (this.followed?.job.jobId === jobId) this.followed = undefined
    if (this.told?.wake?.job.jobId === jobId) this.told = undefined
  }

  /**
   * Waits at most `milliseconds` for a wake; one that came since the request was registered counts. After `woken` the
   * caller searches the queue. Not to be called again before it has answered.
   */
  async next(signal: AbortSignal, milliseconds: number): Promise<WaitResult> {
    this.giveUpFollowed()
    if (signal.aborted) return 'aborted'
    const result = this.told ? 'woken' : await this.wait(signal, milliseconds)
    if (result !== 'woken') return result
    this.followed = this.told?.wake
    this.told = undefined
    return 'woken'
  }

  /** Ends the request; may be called twice. */
  close(): void {
    this.listeners.closed()
    this.giveUpFollowed()
    const unused = this.told?.wake
    this.told = undefined
    if (unused) this.listeners.unused(unused)
  }

  private giveUpFollowed(): void {
    const unused = this.followed
    this.followed = undefined
    if (unused) this.listeners.unused(unused)
  }

  private wait(signal: AbortSignal, milliseconds: number): Promise<WaitResult> {
    return new Promise((resolve) => {
      const end = (result: WaitResult): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.endWait = undefined
        resolve(result)
      }
      const onAbort = (): void => end('aborted')
      const timer = setTimeout(end, milliseconds, 'timeout')
      signal.addEventListener('abort', onAbort)
      this.endWait = end
    })
  }
}
