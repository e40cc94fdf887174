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
  closed: () => void
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
  async next(signal: AbortSignal, milliseconds: number): Promise<WaitResult> {
    this.stopFollowing()
    if (signal.aborted) return 'aborted'
    const result = this.pendingWake ? 'woken' : await this.wait(signal, milliseconds)
    if (result !== 'woken') return result
    this.followed = this.pendingWake?.wake
    this.pendingWake = undefined
    return 'woken'
  }

  /** Ends the request; may be called twice. */
  close(): void {
    this.listeners.closed()
    this.stopFollowing()
    const unused = this.pendingWake?.wake
    this.pendingWake = undefined
    if (unused) this.listeners.unused(unused)
  }

  private stopFollowing(): void {
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
