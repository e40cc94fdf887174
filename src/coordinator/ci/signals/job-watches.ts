export interface JobWatchesDeps {
  /** Notifies the other coordinator processes of jobs that have changed; each calls `receive`. */
  notifyOthers?: (jobIds: number[]) => Promise<void>
  /** A notification could not be sent. Runners learn of the change at their next call. */
  onLost: (error: unknown) => void
}

/** Receives every change of a running job, made by this process or another coordinator. The methods must not throw. */
export interface JobChangeListener {
  /** Called after the change was committed. */
  onChanged: (jobId: number) => void
  /** Called when notifications of other coordinators may have been lost. */
  onMissed: () => void
}

export type WatchResult = 'changed' | 'timeout' | 'aborted'

/**
 * Open requests of runners that wait for the end of their job by another party. The store is not read until a
 * notification arrives; the watcher then reads the job.
 */
export class JobWatches {
  private readonly watches = new Map<number, Set<JobWatch>>()
  private readonly unsent = new Set<number>()
  private listener: JobChangeListener | undefined
  private sending: Promise<void> | undefined

  constructor(private readonly deps: JobWatchesDeps) {}

  /**
   * Registers before the job is read, so that no change in between is missed. The caller must close the
   * watch.
   */
  watch(jobId: number): JobWatch {
    const watch = new JobWatch(() => {
      const watches = this.watches.get(jobId)
      watches?.delete(watch)
      if (watches?.size === 0) this.watches.delete(jobId)
    })
    const watches = this.watches.get(jobId) ?? new Set()
    this.watches.set(jobId, watches.add(watch))
    return watch
  }

  /** Sets the listener, and replaces an earlier one. */
  listen(listener: JobChangeListener): void {
    this.listener = listener
  }

  /** A job that a runner works at has changed, which is committed. */
  notify(jobId: number): void {
    this.wake(jobId)
    this.notifyOtherCoordinators(jobId)
  }

  /** Another coordinator has changed jobs. */
  receive(jobIds: readonly number[]): void {
    jobIds.forEach((jobId) => this.wake(jobId))
  }

  /** Notifications of other coordinators may have been missed: every watched job is read once. */
  wakeAll(): void {
    this.listener?.onMissed()
    for (const watches of this.watches.values()) wakeEach(watches)
  }

  /** Ends when the running notifications are sent; call it before the store is closed. */
  async stop(): Promise<void> {
    while (this.sending) await this.sending
  }

  private wake(jobId: number): void {
    this.listener?.onChanged(jobId)
    wakeEach(this.watches.get(jobId))
  }

  /** Jobs that change while a notification is sent share the next one. */
  private notifyOtherCoordinators(jobId: number): void {
    if (!this.deps.notifyOthers) return
    this.unsent.add(jobId)
    this.sending ??= this.sendAll(this.deps.notifyOthers)
  }

  private async sendAll(notifyOthers: (jobIds: number[]) => Promise<void>): Promise<void> {
    await Promise.resolve() // one transaction changes several jobs
    while (this.unsent.size > 0) {
      const jobIds = [...this.unsent]
      this.unsent.clear()
      await notifyOthers(jobIds).catch(this.deps.onLost)
    }
    // At once: a job that changes from here on needs a notification of its own.
    this.sending = undefined
  }
}

/** One held request. A change between two waits is not lost. */
export class JobWatch {
  private hasChanged = false
  private endWait: (() => void) | undefined

  constructor(private readonly onClose: () => void) {}

  wake(): void {
    this.hasChanged = true
    this.endWait?.()
  }

  /** Waits at most `milliseconds` for a change. Must not be called again before it returns. */
  async next(signal: AbortSignal, milliseconds: number): Promise<WatchResult> {
    if (!this.hasChanged && !signal.aborted) await this.wait(signal, milliseconds)
    if (signal.aborted) return 'aborted'
    const result = this.hasChanged ? 'changed' : 'timeout'
    this.hasChanged = false
    return result
  }

  /** May be called twice. */
  close(): void {
    this.onClose()
  }

  private wait(signal: AbortSignal, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.endWait = undefined
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      signal.addEventListener('abort', end)
      this.endWait = end
    })
  }
}

function wakeEach(watches: ReadonlySet<JobWatch> = new Set()): void {
  for (const watch of watches) watch.wake()
}
