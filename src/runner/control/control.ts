import { RUNNER_VERSION } from '../client/runner-info.js'
import type { RegistrationView } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'
import { ControlResponseError } from './errors.js'
import type { DrainMessage, JobsMessage, StatusMessage } from './messages.js'
import type { PauseState } from './pause-state.js'

/** The parts of a runner that the control socket can query and change. */
export interface ControlledRunner {
  readonly concurrent: number
  entries(): RegistrationView[]
  jobs(): RunningJob[]
  nextJobEnd(): Promise<void>
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
