import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { pause } from '../../lib/pause.js'
import type { JobJournal } from '../job/journal/job-journal.js'
import type { Delivered } from '../job/report-result.js'

export interface RedeliveryParts {
  /** One more try for a job whose outcome is known. */
  deliver: (journal: JobJournal) => Promise<Delivered>
  /** Milliseconds between two rounds. */
  interval: number
  logger: Logger
}

/** After a week nobody waits for a result any more, and no coordinator takes it. */
const MAX_AGE_MILLISECONDS = 7 * 24 * 3600 * 1000

/** Keeps the results that no coordinator could be given, and tries again until one takes them. */
export class Redelivery {
  private readonly waiting = new Set<JobJournal>()

  constructor(private readonly parts: RedeliveryParts) {}

  add(journal: JobJournal): void {
    this.waiting.add(journal)
  }

  /** Tries at once and then at each interval, until `signal` aborts; what is left stays in its journal. */
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
          'The result of a job could not be delivered for a week and is given up',
        )
        await journal.remove()
        this.waiting.delete(journal)
        return
      }
      if ((await deliver(journal)) === 'undelivered') return
      logger.info({ job: payload.id }, 'The kept result of a job is delivered')
      await journal.remove()
      this.waiting.delete(journal)
    } catch (error) {
      logger.error({ job: payload.id, error: messageOf(error) }, 'The kept result of a job cannot be sent')
    }
  }
}
