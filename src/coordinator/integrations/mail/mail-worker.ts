import PQueue from 'p-queue'
import { Counter, type Registry } from 'prom-client'

import { messageOf } from '../../../lib/errors.js'
import type { Logger } from '../../../lib/logger.js'
import { HOUR, MINUTE, SECOND } from '../../../lib/time-units.js'
import { ScheduleTimer } from '../../background/schedule-timer.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { findDueRows, nextDueAt } from '../../database/due-rows.js'
import { findAppearanceValues } from '../../database/stores/appearance-store.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import type { MailContent } from './mail-content.js'
import { claimMail, deleteMail, type MailRow, postponeMail } from './mail-store.js'
import { withTextAtEnd, withTextAtStart } from './render-body.js'
import type { MailTransport, SendResult } from './smtp-transport.js'

/** Delays before further attempts; the last one repeats. */
const RETRIES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR]
/** Age at which a mail that cannot be sent is deleted. */
const GIVES_UP_AFTER = 3 * 24 * HOUR
/** How long one attempt may take; longer than all timeouts of a connection. */
const LEASE = 5 * MINUTE
/** Pause after the server could not be reached. */
const REST = 30 * SECOND
/** Delay between attempts while the server is away. */
const MAX_OUTAGE_CHECK = 5 * MINUTE
const AT_ONCE = 4
const PER_LOOK = 100

export interface MailWorkerDeps {
  database: Database
  secrets: SecretBox
  transport: MailTransport
  metrics: Registry
  logger: Logger
}

/**
 * Sends the stored mails. Every coordinator runs such a worker; each attempt is made by the one that claims it. A mail is
 * deleted once the server has taken it. If the coordinator is killed between the two, it is sent again with the same
 * Message-ID, by which mail servers recognize it.
 *
 *     wake, or a mail is due ──▶ poll: claim due mails ──▶ send each ──▶ delete, or postpone
 */
export class MailWorker {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  private readonly timer: ScheduleTimer
  private readonly counter: Counter<'result'>
  private readonly underWay = new Set<number>()
  private restsUntil = 0

  constructor(private readonly deps: MailWorkerDeps) {
    this.timer = new ScheduleTimer({ of: 'Mails', startDue: () => this.poll(), logger: deps.logger })
    this.counter = new Counter({
      name: 'switchyard_mails_total',
      help: 'Attempts to send a mail by result: sent, refused, later, or unreachable',
      labelNames: ['result'],
      registers: [deps.metrics],
    })
  }

  /** Called when mails were stored. */
  wake(): void {
    if (this.restsUntil <= Date.now()) this.timer.schedule(0)
  }

  /** Ends when `signal` aborts and the attempts under way have ended. */
  async run(signal: AbortSignal): Promise<void> {
    await this.timer.run(signal)
    this.queue.clear()
    await this.queue.onIdle()
    this.deps.transport.close()
  }

  /** Starts the due attempts; returns the time of the next poll. */
  private async poll(): Promise<number | undefined> {
    const now = Date.now()
    if (this.restsUntil > now) return this.restsUntil
    for (const row of await findDueRows(this.deps.database, 'mail', now, PER_LOOK)) {
      if (this.underWay.has(row.id)) continue
      this.underWay.add(row.id)
      void this.queue.add(() => this.attempt(row))
    }
    const next = await nextDueAt(this.deps.database, 'mail')
    // What is due is under way, and wakes the worker when it ends.
    return next !== undefined && next > now ? next : undefined
  }

  /** Never rejects. */
  private async attempt(row: MailRow): Promise<void> {
    const { database, logger } = this.deps
    try {
      if (this.restsUntil > Date.now()) return
      if (!(await claimMail(database, row, Date.now() + LEASE))) return
      const result = await this.send(row)
      this.counter.inc({ result: result.outcome })
      await this.record(row, result)
    } catch (error) {
      logger.error({ err: error, mail: row.id }, 'A mail could not be sent; it will be tried again')
    } finally {
      this.underWay.delete(row.id)
      if (this.queue.pending <= 1 && this.queue.size === 0) this.wake()
    }
  }

  private async send(row: MailRow): Promise<SendResult> {
    const { database, secrets, transport } = this.deps
    try {
      const content = JSON.parse(secrets.decrypt(row.content_encrypted)) as MailContent
      const settings = await effectiveSettings(database, 'email_additional_text', 'html_emails_enabled')
      const { header, footer } = await messagesInMails(database)
      const started = header.trim() === '' ? content : withTextAtStart(content, header)
      const complete = [settings.email_additional_text ?? '', footer]
        .filter((text) => text.trim() !== '')
        .reduce(withTextAtEnd, started)
      return await transport.send(complete, { html: settings.html_emails_enabled })
    } catch (error) {
      return { outcome: 'later', reason: messageOf(error), cause: error }
    }
  }

  private async record(row: MailRow, result: SendResult): Promise<void> {
    const { database, logger } = this.deps
    if (result.outcome === 'sent') {
      await deleteMail(database, row.id)
      return
    }
    const now = Date.now()
    const isOver = result.outcome === 'refused' || row.created_at + GIVES_UP_AFTER < now
    const log = { mail: row.id, user: row.user_id, attempts: row.attempts + 1, reason: result.reason }
    if (isOver) {
      logger.warn(log, 'A mail was not sent and is given up')
      await deleteMail(database, row.id)
      return
    }
    const delay = RETRIES[Math.min(row.attempts, RETRIES.length - 1)] ?? HOUR
    // Once the server is back, what has waited for it goes out soon.
    const isAway = result.outcome === 'unreachable'
    await postponeMail(database, row.id, now + (isAway ? Math.min(delay, MAX_OUTAGE_CHECK) : delay))
    if (isAway) this.rest(now, log)
    else logger.warn(log, 'A mail could not be sent; it will be tried again')
  }

  private rest(now: number, log: object): void {
    if (this.restsUntil <= now) {
      this.deps.logger.error(
        log,
        'The mail server cannot be used; mails wait. Check mail.url in the settings',
      )
    }
    this.restsUntil = now + REST
    this.timer.schedule(this.restsUntil)
  }
}

/** The messages of the instance, if mails have them. */
async function messagesInMails(database: Database): Promise<{ header: string; footer: string }> {
  const appearance = await findAppearanceValues(
    database,
    'email_header_and_footer_enabled',
    'header_message',
    'footer_message',
  )
  if (!appearance.email_header_and_footer_enabled) return { header: '', footer: '' }
  return { header: appearance.header_message, footer: appearance.footer_message }
}
