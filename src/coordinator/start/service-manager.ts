import type { Logger } from '../../lib/logger.js'
import { createNotifier, type Notifier } from '../../lib/systemd/notifier.js'
import { watchdogInterval } from '../../lib/systemd/watchdog-interval.js'

/** Notifies the service manager when the coordinator serves requests, reads its keys again, is alive, or stops. */
export class ServiceManager {
  private readonly notifier: Notifier
  private watchdog: NodeJS.Timeout | undefined

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    logger: Logger,
  ) {
    this.notifier = createNotifier(environment, logger)
  }

  /** From now on, keep-alive messages show that the event loop runs. */
  async started(status: string): Promise<void> {
    await this.notifier.ready(status)
    const interval = watchdogInterval(this.environment, process.pid)
    if (interval === undefined) return
    this.watchdog = setInterval(() => void this.notifier.alive(), interval).unref()
  }

  async duringReload(work: () => void, status: string): Promise<void> {
    await this.notifier.reloading()
    work()
    await this.notifier.ready(status)
  }

  /** Keep-alive messages go on until the process ends: to stop may take long. */
  stopping(): Promise<void> {
    return this.notifier.stopping('Stopping; serves the requests that are open')
  }

  stop(): void {
    clearInterval(this.watchdog)
  }
}
