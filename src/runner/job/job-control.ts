import { formatDuration } from '../../lib/duration.js'
import { SwitchyardError } from '../../lib/errors.js'

/**
 * The two abort signals of a job. `whole` ends everything: the coordinator aborted the job, its timeout passed, or
 * the runner stops. `work` ends the stages up to the script: the job was canceled or the script timed out. The
 * later stages still run then. `work` also aborts when `whole` aborts. Only the first stop of each signal counts.
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

  /** Stops the job `seconds` after `start`. Returns a function that removes the limit. */
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

  /** Stops the job when the runner shuts down. Returns a function that removes the listener. */
  follow(shutdown: AbortSignal): () => void {
    const onAbort = () => this.stop({ kind: 'interrupted', by: String(shutdown.reason) })
    if (shutdown.aborted) onAbort()
    shutdown.addEventListener('abort', onAbort, { once: true })
    return () => shutdown.removeEventListener('abort', onAbort)
  }

  /** Removes all limits. */
  close(): void {
    this.timers.forEach((timer) => clearTimeout(timer))
  }
}

/** Why a job or its script was stopped before its end. */
export type Stop =
  /** The coordinator has already ended the job and accepts nothing more for it. */
  | { kind: 'aborted' }
  /** A user canceled the job. The stages that clean up after the script still run. */
  | { kind: 'canceled' }
  | { kind: 'timeout'; seconds: number }
  | { kind: 'script-timeout'; seconds: number }
  | { kind: 'prepare-timeout'; seconds: number }
  /** The runner was asked to stop, for example by a signal. */
  | { kind: 'interrupted'; by: string }
  /** The runner cannot continue the job, for example because its disk is full. */
  | { kind: 'broken'; problem: string }

/** The abort reason of the signals of a job. */
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
