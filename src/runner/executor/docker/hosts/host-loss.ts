import { untilAborted } from '../../../../lib/until-aborted.js'
import type { JobLog } from '../../../trace/job-log.js'
import { EngineLostError } from '../../executor.js'
import { SeverableLog } from './severable-log.js'

/**
 * Resolves with the reason when a host no longer exists, or has been away for the milliseconds that `patience` returns.
 * Resolves with undefined when `signal` aborts.
 */
export type UntilLost = (patience: () => number, signal: AbortSignal) => Promise<string | undefined>

/**
 * Ends what one job does on its host when that is lost: it no longer exists, or has not responded for as long as the job
 * waits. The requests to it may never end, so they are left behind.
 */
export class HostLoss {
  private readonly loss = new AbortController()
  private readonly isOver = new AbortController()

  /** `patience`: milliseconds that the job waits for its host. May be changed. */
  constructor(
    host: string,
    untilLost: UntilLost,
    public patience: number,
  ) {
    void untilLost(() => this.patience, this.isOver.signal).then((reason) => {
      if (reason !== undefined) this.loss.abort(new EngineLostError(`On the host "${host}": ${reason}`))
    })
  }

  get isLost(): boolean {
    return this.loss.signal.aborted
  }

  /** Must be called when the job leaves the host. */
  end(): void {
    this.isOver.abort()
  }

  /** Returns what `work` returns. Throws `EngineLostError` as soon as the host is lost. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.loss
    signal.throwIfAborted()
    return await untilAborted(work(), signal)
  }

  /**
   * The same for work that writes into the log, during the call and until the end of the job. Its signal aborts with
   * `signal`, and when the host is lost.
   */
  async duringLogged<T>(
    log: JobLog,
    signal: AbortSignal | undefined,
    work: (log: JobLog, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const severable = new SeverableLog(log)
    // `AbortSignal.any` keeps every signal that it made for as long as its sources live.
    const stop = new AbortController()
    const onAbort = () => stop.abort(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    this.loss.signal.addEventListener('abort', () => {
      severable.sever()
      stop.abort(this.loss.signal.reason)
    })
    try {
      return await this.during(() => work(severable.log, stop.signal))
    } finally {
      signal?.removeEventListener('abort', onAbort)
      await severable.flush()
    }
  }
}
