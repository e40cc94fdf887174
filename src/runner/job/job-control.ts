import { formatDuration } from '../../lib/duration.js'
import { SwitchyardError } from '../../lib/errors.js'
import { linkSignals } from '../../lib/link-signals.js'
import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobIdentity } from '../client/coordinator-client.js'
import type { TraceSender } from '../trace/trace-sender.js'
import type { JobShells } from './job-shells.js'

/** Milliseconds for saving the caches and artifacts of a canceled job, whose slot must become free soon. */
const FILES_AFTER_CANCEL = 10_000

/**
 * The abort signals of a job. `whole` ends everything: the coordinator aborted the job, its timeout passed, or the
 * runner stops. `work` ends the stages up to the script: the job was canceled or the script timed out. The later
 * stages still run then. `files` ends the last ones, which save caches and artifacts: some seconds after the job was
 * canceled, because a job may leave files that take hours to read. `work` and `files` also abort when `whole` aborts. Only
 * the first stop of each signal counts.
 */
export class JobControl {
  private readonly wholeController = new AbortController()
  private readonly workController = new AbortController()
  private readonly filesController = new AbortController()
  private areFilesBegun = false
  private canceled: JobStopError | undefined
  private readonly timers: NodeJS.Timeout[] = []
  readonly whole = this.wholeController.signal
  readonly work = AbortSignal.any([this.wholeController.signal, this.workController.signal])
  readonly files = AbortSignal.any([this.wholeController.signal, this.filesController.signal])

  stop(stop: Stop): void {
    const controller =
      stop.kind === 'canceled' || stop.kind === 'script-timeout' ? this.workController : this.wholeController
    const reason = new JobStopError(stop)
    controller.abort(reason)
    if (stop.kind !== 'canceled' || this.canceled) return
    this.canceled = reason
    this.limitFiles()
  }

  /** Must be called when all scripts of the job are over: the time for the files of a canceled job begins. */
  beginFiles(): void {
    this.areFilesBegun = true
    this.limitFiles()
  }

  private limitFiles(): void {
    const { canceled } = this
    if (!this.areFilesBegun || !canceled) return
    this.timers.push(setTimeout(() => this.filesController.abort(canceled), FILES_AFTER_CANCEL))
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

export interface SignalWatchDeps {
  client: Pick<CoordinatorClient, 'waitForSignal'>
  job: JobIdentity
  sender: Pick<TraceSender, 'applySignals' | 'setSignaled' | 'isWatched'>
  shells: Pick<JobShells, 'known' | 'receive'>
  logger: Logger
  /** Milliseconds before a failed request is repeated. Doubles on each failure, up to `MAX_DELAY`. */
  firstDelay: number
}

/** `news`: another status, a reader of the log, or a shell. `over`: the job no longer belongs to this runner. `useless`: the coordinator does not support these requests. */
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
 * Keeps one request open at a coordinator that supports it (`features.job_signals`). A job that prints nothing is then
 * notified of a cancellation at once, and shells are opened in it:
 *
 *     held ── another status, a reader of the log, a shell ──▶ processed ──▶ held again with what is known now
 *       ├── 204, hold time is over ──▶ held again
 *       ├── failed, or responded without being held ──▶ again later; until then heartbeats are frequent
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
    const { client, job, sender, shells, logger } = this.deps
    const begun = performance.now()
    const timeout = linkSignals(signal, AbortSignal.timeout(MAX_HELD))
    const { isWatched } = sender
    try {
      const known = { status: this.status, isWatched, shells: shells.known }
      const response = await client.waitForSignal(job, known, timeout.signal)
      if (response.status === 404) return 'useless'
      if (![200, 204, 403].includes(response.status)) return 'failed'
      sender.applySignals(response)
      if (response.status === 403) return 'over'
      const { terminals = [] } = response
      shells.receive(terminals)
      const isNewStatus = response.jobStatus !== undefined && response.jobStatus !== this.status
      this.status = response.jobStatus ?? this.status
      if (isNewStatus || sender.isWatched !== isWatched || terminals.length > 0) return 'news'
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
