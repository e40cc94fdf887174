import type { JobProfile, RunnerProfile } from './match.js'

export interface QueuedJob extends JobProfile {
  jobId: number
  priority: number
}

/**
 * Notification about one queued job. It goes to one request after another until one of them claims the job.
 */
export interface Wake {
  job: QueuedJob
  /** Requests that were already woken; each is woken once. */
  tried: Set<WaitingRequest>
  /** Came from another coordinator process. */
  fromElsewhere: boolean
}

export type WaitResult = 'woken' | 'timeout' | 'aborted'

export interface WaitingRequestListeners {
  unused: (wake: Wake) => void
  closed: (request: WaitingRequest) => void
}

/**
 * An open job request. It is registered, searches the queue, waits, searches again when it is woken, and is
 * closed.
 *
 *   searching or waiting ── wake ──> woken ── `next` returns ──> searching for that job
 *                                     │                           │
 *                          close: wake another request            ├─ the job leaves the queue: done
 *                                                                 └─ close or `next` with the job still queued:
 *                                                                    wake another request
 */
export class WaitingRequest {
  /** A wake that was not processed yet; without a job if all requests were woken. */
  private pendingWake: { wake: Wake | undefined } | undefined
  /** The wake that the present search follows. */
  private followed: Wake | undefined
  private endWait: ((result: WaitResult) => void) | undefined
  private isAborted = false

  constructor(
    readonly profile: RunnerProfile,
    private readonly listeners: WaitingRequestListeners,
  ) {}

  /** Can be woken for a job. */
  get isFree(): boolean {
    return this.pendingWake === undefined
  }

  get isWaiting(): boolean {
    return this.endWait !== undefined
  }

  wake(wake: Wake | undefined): void {
    this.pendingWake ??= { wake }
    this.endWait?.('woken')
  }

  discard(jobId: number): void {
    if (this.followed?.job.jobId === jobId) this.followed = undefined
    if (this.pendingWake?.wake?.job.jobId === jobId) this.pendingWake = undefined
  }

  /**
   * Waits at most `milliseconds` for a wake, including one that came since the registration. After `woken`
   * the caller searches the queue. Must not be called again before it returns.
   */
  next(milliseconds: number): Promise<WaitResult> {
    this.stopFollowing()
    if (this.isAborted) return Promise.resolve('aborted')
    if (this.pendingWake) return Promise.resolve(this.follow('woken'))
    return this.wait(milliseconds).then((result) => this.follow(result))
  }

  /** Ends the wait, and each later one. */
  abort(): void {
    this.isAborted = true
    this.endWait?.('aborted')
  }

  /** Ends the request; may be called twice. */
  close(): void {
    this.listeners.closed(this)
    this.stopFollowing()
    const unused = this.pendingWake?.wake
    this.pendingWake = undefined
    if (unused) this.listeners.unused(unused)
  }

  private follow(result: WaitResult): WaitResult {
    if (result === 'woken') {
      this.followed = this.pendingWake?.wake
      this.pendingWake = undefined
    }
    return result
  }

  private stopFollowing(): void {
    const unused = this.followed
    this.followed = undefined
    if (unused) this.listeners.unused(unused)
  }

  private wait(milliseconds: number): Promise<WaitResult> {
    return new Promise((resolve) => {
      const end = (result: WaitResult): void => {
        clearTimeout(timer)
        this.endWait = undefined
        resolve(result)
      }
      const timer = setTimeout(end, milliseconds, 'timeout')
      this.endWait = end
    })
  }
}
