import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'
import { DAY } from '../../lib/time-units.js'
import type { JobJournal } from '../job/journal/job-journal.js'
import type { Delivered } from '../job/outcome.js'

export interface RedeliveryParts {
  /** Makes one more attempt for a job whose outcome is known. */
  deliver: (journal: JobJournal) => Promise<Delivered>
  /** Milliseconds between two rounds. */
  interval: number
  logger: Logger
}

/** After a week, no coordinator accepts the result any more. */
const MAX_AGE_MILLISECONDS = 7 * DAY

/** Keeps the results that could not be delivered and retries them until the coordinator accepts them. */
export class Redelivery {
  private readonly waiting = new Set<JobJournal>()

  constructor(private readonly parts: RedeliveryParts) {}

  add(journal: JobJournal): void {
    this.waiting.add(journal)
  }

  /**
   * Tries immediately and then at each interval, until `signal` aborts. Undelivered results stay in their journals.
   */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const journal of this.waiting) await this.tryOnce(journal)
      await pause(this.parts.interval, signal)
    }
  }

  private async tryOnce(journal: JobJournal): Promise<void> {
    const { deliver, logger } = this.parts
    const { payload, receivedAt } = journal.job
    try {
      if (Date.now() - receivedAt > MAX_AGE_MILLISECONDS) {
        logger.error(
          { job: payload.id },
          'The result of a job could not be delivered for a week and is discarded',
        )
        await journal.markDelivered()
        this.waiting.delete(journal)
        return
      }
      if ((await deliver(journal)) === 'undelivered') return
      logger.info({ job: payload.id }, 'The stored result of a job was delivered')
      await journal.markDelivered()
      this.waiting.delete(journal)
    } catch (error) {
      logger.error({ job: payload.id, error: messageOf(error) }, 'The stored result of a job cannot be sent')
    }
  }
}
