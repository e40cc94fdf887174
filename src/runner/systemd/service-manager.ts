import type { Logger } from '../../lib/logger.js'
import type { RegistrationView } from '../registrations/registration-view.js'
import { createNotifier, type Notifier } from './notifier.js'
import { isPollingAlive, watchdogInterval } from './watchdog.js'

export interface ManagedRunner {
  readonly concurrent: number
  entries(): RegistrationView[]
}

/** Keeps the service manager informed: that the daemon is ready, reads its settings, lives, stops. */
export class ServiceManager {
  private readonly notifier: Notifier
  private watchdog: NodeJS.Timeout | undefined
  private isStopping = false

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly runner: ManagedRunner,
    private readonly logger: Logger,
  ) {
    this.notifier = createNotifier(environment, logger)
  }

  async started(): Promise<void> {
    await this.notifier.ready(this.summary())
    const interval = watchdogInterval(this.environment, process.pid)
    if (interval === undefined) return
    this.watchdog = setInterval(() => this.giveSign(), interval)
    this.watchdog.unref()
  }

  async duringReload(work: () => Promise<void>): Promise<void> {
    await this.notifier.reloading()
    await work()
    // A runner that stops does not become ready again.
    if (!this.isStopping) await this.notifier.ready(this.summary())
  }

  /** The runner takes no more jobs. */
  async stopping(): Promise<void> {
    this.isStopping = true
    await this.notifier.stopping()
  }

  stop(): void {
    clearInterval(this.watchdog)
  }

  /** That this runs at all says that the main loop does. */
  private giveSign(): void {
    if (isPollingAlive(this.runner.entries())) void this.notifier.alive()
    else this.logger.error('A request for a job is stuck: the service manager gets no sign of life')
  }

  private summary(): string {
    const count = this.runner.entries().length
    return `Takes jobs for ${count} ${count === 1 ? 'entry' : 'entries'}, ${this.runner.concurrent} at a time`
  }
}
