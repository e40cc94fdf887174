import { JobStopError, type Stop } from './job-stop.js'

/**
 * The two signals of a job. `whole` ends everything (the coordinator aborted the job, its time is up, the runner
 * stops); `work` ends what happens up to the script, after which the job is brought to a good end (canceled, script
 * timeout). `work` aborts with `whole`. The first stop of each counts.
 */
export class JobControl {
  private readonly wholeController = new AbortController()
  private readonly workController = new AbortController()
  private readonly timers: NodeJS.Timeout[] = []
  readonly whole = this.wholeController.signal
  readonly work = AbortSignal.any([this.wholeController.signal, this.workController.signal])

  stop(stop: Stop): void {
    const controller =
      stop.kind === 'canceled' || stop.kind === 'script-timeout' ? this.workController : this.wholeController
    controller.abort(new JobStopError(stop))
  }

  /** Stops the job when `seconds` have passed since `start`; the answer takes the limit back. */
  limit(
    seconds: number,
    kind: 'timeout' | 'script-timeout' | 'prepare-timeout',
    start = Date.now(),
  ): () => void {
    const left = Math.max(0, start + seconds * 1000 - Date.now())
    const timer = setTimeout(() => this.stop({ kind, seconds }), left)
    this.timers.push(timer)
    return () => clearTimeout(timer)
  }

  /** Follows a signal of the runner; the answer lets it go. */
  follow(shutdown: AbortSignal): () => void {
    const onAbort = () => this.stop({ kind: 'interrupted', by: String(shutdown.reason) })
    if (shutdown.aborted) onAbort()
    shutdown.addEventListener('abort', onAbort, { once: true })
    return () => shutdown.removeEventListener('abort', onAbort)
  }

  /** Takes back every limit. */
  close(): void {
    this.timers.forEach((timer) => clearTimeout(timer))
  }
}
