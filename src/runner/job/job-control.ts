import { formatDuration } from '../../lib/duration.js'
import { SwitchyardError } from '../../lib/errors.js'

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

/** Why a job, or its script, does not run to its own end. */
export type Stop =
  /** The coordinator has already ended the job: nothing of it is wanted any more. */
  | { kind: 'aborted' }
  /** Someone canceled it: what cleans up after the script still runs. */
  | { kind: 'canceled' }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'script-timeout'; seconds: number }
  | { kind: 'prepare-timeout'; seconds: number }
  /** The runner itself is told to stop, by a signal for example. */
  | { kind: 'interrupted'; by: string }
  /** The runner cannot go on, for example because its disk is full. */
  | { kind: 'broken'; problem: string }

/** The reason that the signals of a job abort with. */
export class JobStopError extends SwitchyardError {
  readonly name = 'JobStopError'
  readonly code = 'JOB_STOPPED'

  constructor(readonly stop: Stop) {
    super(describeStop(stop))
  }
}

function describeStop(stop: Stop): string {
  switch (stop.kind) {
    case 'aborted':
    case 'canceled':
      return 'canceled'
    case 'timeout':
    case 'script-timeout':
      return `execution took longer than ${formatDuration(stop.seconds)} seconds`
    case 'prepare-timeout':
      return `preparing the executor took longer than ${formatDuration(stop.seconds)} (prepare_timeout of the runner)`
    case 'interrupted':
      return `aborted: ${stop.by}`
    case 'broken':
      return stop.problem
  }
}
