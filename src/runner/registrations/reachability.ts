import { formatDuration } from '../../lib/duration.js'
import type { Logger } from '../../lib/logger.js'
import type { CoordinatorUnreachableError } from '../client/errors.js'

/**
 * Logs once that the coordinator of a registration is lost, and once that it is back. What repeats its requests
 * until then, such as each running job, logs nothing of its own.
 */
export class Reachability {
  private lostAt: number | undefined

  constructor(private readonly logger: Logger) {}

  lost(error: CoordinatorUnreachableError): void {
    if (this.lostAt !== undefined) return
    this.lostAt = Date.now()
    this.logger.warn(`${error.message}. Requests are repeated; jobs continue, and send their logs later.`)
  }

  responded(): void {
    if (this.lostAt === undefined) return
    const seconds = Math.round((Date.now() - this.lostAt) / 1000)
    this.lostAt = undefined
    this.logger.info(`The coordinator can be reached again, after ${formatDuration(seconds)}`)
  }
}
