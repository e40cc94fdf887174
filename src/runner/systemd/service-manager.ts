import type { Logger } from '../../lib/logger.js'
import { createNotifier, type Notifier } from '../../lib/systemd/notifier.js'
import { watchdogInterval } from '../../lib/systemd/watchdog-interval.js'
import type { RegistrationView } from '../registrations/registration-view.js'
import { isPollingAlive } from './watchdog.js'

export interface ManagedRunner {
  readonly concurrent: number
  entries(): RegistrationView[]
}

/** Notifies the service manager when the daemon is ready, reloads its settings, is alive, or stops. */
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
    this.watchdog = setInterval(() => this.sendKeepAlive(), interval)
    this.watchdog.unref()
  }

  async duringReload(work: () => Promise<void>): Promise<void> {
    await this.notifier.reloading()
    await work()
    // A runner that stops does not become ready again.
    if (!this.isStopping) await this.notifier.ready(this.summary())
  }

  /** The runner accepts no more jobs. */
  async stopping(): Promise<void> {
    this.isStopping = true
    await this.notifier.stopping('Stopping; accepts no more jobs')
  }

  stop(): void {
    clearInterval(this.watchdog)
  }

  /** That this function runs shows that the event loop is alive. */
  private sendKeepAlive(): void {
    if (isPollingAlive(this.runner.entries())) void this.notifier.alive()
    else this.logger.error('A job request is stuck: the service manager gets no keep-alive message')
  }

  private summary(): string {
    const count = this.runner.entries().length
    return `Accepts jobs for ${count} ${count === 1 ? 'registration' : 'registrations'}, up to ${this.runner.concurrent} at a time`
  }
}
