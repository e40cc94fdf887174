import { RUNNER_VERSION } from '../client/runner-info.js'
import type { RegistrationView } from '../registrations/registration-view.js'
import type { RunningJob } from '../registrations/running-jobs.js'
import { ControlAnswerError } from './errors.js'
import type { DrainMessage, JobsMessage, StatusMessage } from './messages.js'
import type { PauseBook } from './pause-book.js'

/** What of a runner can be asked and told from outside. */
export interface ControlledRunner {
  readonly concurrent: number
  entries(): RegistrationView[]
  jobs(): RunningJob[]
  nextJobEnd(): Promise<void>
  reconsider(): void
  stopGracefully(): Promise<void>
}

/** What people may ask of a running daemon. */
export class Control {
  private isDraining = false

  constructor(
    private readonly runner: ControlledRunner,
    private readonly book: PauseBook,
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

  /** No new jobs for this entry, or for any, until `resume`; those that run go on. */
  async pause(name?: string): Promise<StatusMessage> {
    this.mustKnow(name)
    await this.book.pause(name)
    this.runner.reconsider()
    return this.status()
  }

  async resume(name?: string): Promise<StatusMessage> {
    this.mustKnow(name)
    if (name !== undefined && this.book.isEverythingPaused) {
      throw new ControlAnswerError('Everything is paused, not this entry alone: resume without --runner')
    }
    await this.book.resume(name)
    this.runner.reconsider()
    return this.status()
  }

  /** Takes no more jobs. The answer has a message now, one for each job that ends, and one when the runner stopped. */
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
    throw new ControlAnswerError(`No entry is named "${name}"; there is ${list || 'none'}`)
  }
}
