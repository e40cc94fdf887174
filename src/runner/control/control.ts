import { RUNNER_VERSION } from '../client/runner-info.js'
import type { HeldJob, HoldView } from '../holds/held-job.js'
import type { RegistrationView } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'
import { ControlResponseError } from './errors.js'
import type { DrainMessage, HoldRequest, HoldsMessage, JobsMessage, StatusMessage } from './messages.js'
import type { PauseState } from './pause-state.js'

/** The parts of a runner that the control socket can query and change. */
export interface ControlledRunner {
  readonly concurrent: number
  entries(): RegistrationView[]
  jobs(): RunningJob[]
  nextJobEnd(): Promise<void>
  holds(): HoldView[]
  holdsOf(jobId: number): HeldJob[]
  reconsider(): void
  stopGracefully(): Promise<void>
}

/** The commands for a running daemon. */
export class Control {
  private isDraining = false

  constructor(
    private readonly runner: ControlledRunner,
    private readonly book: PauseState,
  ) {}

  status(): StatusMessage {
    return {
      version: RUNNER_VERSION,
      pid: process.pid,
      uptimeSeconds: Math.floor(process.uptime()),
      state: this.isDraining ? 'draining' : this.book.isEverythingPaused ? 'paused' : 'running',
      running: this.runner.jobs().length,
      concurrent: this.runner.concurrent,
      entries: this.runner.entries(),
    }
  }

  jobs(): JobsMessage {
    const now = Date.now()
    return {
      jobs: this.runner.jobs().map((job) => ({
        ...job,
        since: job.since.toISOString(),
        durationSeconds: (now - job.since.getTime()) / 1000,
      })),
    }
  }

  holds(): HoldsMessage {
    return messageOf(this.runner.holds())
  }

  /** Ends the hold of a job. Resolves when nothing of the job is left. */
  async endHold(request: HoldRequest): Promise<HoldsMessage> {
    await this.held(request).end('administrator')
    return this.holds()
  }

  /** Holds a job for some time from now on, within the limit of the settings. */
  async extendHold(request: HoldRequest): Promise<HoldsMessage> {
    const { seconds } = request
    if (seconds === undefined) throw new ControlResponseError('The time is missing')
    const held = this.held(request)
    await held.extendTo(Date.now() + seconds * 1000)
    return messageOf([held.view])
  }

  private held({ job, runner }: HoldRequest): HeldJob {
    const [held, other] = this.runner
      .holdsOf(job)
      .filter(({ view }) => runner === undefined || view.runner === runner)
    if (!held) throw new ControlResponseError(`The job ${job} is not held. See "switchyard runner holds".`)
    if (other) {
      const names = [held, other].map(({ view }) => `"${view.runner}"`).join(' and ')
      throw new ControlResponseError(`Jobs ${job} of ${names} are held. Name one with --runner.`)
    }
    return held
  }

  /** Stops taking jobs for the named registration, or for all, until `resume`. Running jobs continue. */
  async pause(name?: string): Promise<StatusMessage> {
    this.mustKnow(name)
    await this.book.pause(name)
    this.runner.reconsider()
    return this.status()
  }

  async resume(name?: string): Promise<StatusMessage> {
    this.mustKnow(name)
    if (name !== undefined && this.book.isEverythingPaused) {
      throw new ControlResponseError(
        'All registrations are paused, not only this one: resume without --runner',
      )
    }
    await this.book.resume(name)
    this.runner.reconsider()
    return this.status()
  }

  /** Stops taking jobs. Yields a message at once, after each job that ends, and when the runner has stopped. */
  async *drain(): AsyncGenerator<DrainMessage> {
    this.isDraining = true
    const stopped = this.runner.stopGracefully().then(() => 'stopped' as const)
    for (;;) {
      yield { running: this.runner.jobs().length, stopped: false }
      if ((await Promise.race([stopped, this.runner.nextJobEnd()])) === 'stopped') break
    }
    yield { running: 0, stopped: true }
  }

  private mustKnow(name: string | undefined): void {
    const names = this.runner.entries().map((entry) => entry.name)
    if (name === undefined || names.includes(name)) return
    const list = names.map((known) => `"${known}"`).join(', ')
    throw new ControlResponseError(`There is no registration "${name}"; known: ${list || 'none'}`)
  }
}

function messageOf(holds: readonly HoldView[]): HoldsMessage {
  return {
    holds: holds.map((hold) => ({
      ...hold,
      since: hold.since.toISOString(),
      until: hold.until.toISOString(),
      latest: hold.latest.toISOString(),
    })),
  }
}
