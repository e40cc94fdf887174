import type { Logger } from '../../../lib/logger.js'
import { MINUTE } from '../../../lib/time-units.js'
import { ClaimedWorker } from '../../background/claimed-worker.js'
import type { Database } from '../../database/connect.js'
import type { NoticeKind } from '../../database/tables/mails.js'
import { inTransaction } from '../../database/transaction.js'
import type { NewMail } from './mail-content.js'
import { claimNotice, deleteNotice, findNotices, type NoticeRow, renewNotice } from './notice-store.js'
import { areMailsDisabled } from './preferences.js'
import { queueMails } from './queue-mail.js'

/** Delay before a notice that failed is tried again, in milliseconds. */
const TRY_AGAIN_AFTER = MINUTE
const PER_LOOK = 500

/** Writes the mails about a change, for each recipient one. */
export type WriteMails = (notice: NoticeRow) => Promise<NewMail[]>

/** Finds the recipients of notices in the background, and stores their mails: of each notice once. */
export class NoticeWorker extends ClaimedWorker<NoticeRow> {
  constructor({
    database,
    logger,
    write,
  }: {
    database: Database
    logger: Logger
    write: Readonly<Record<NoticeKind, WriteMails>>
  }) {
    let last = 0
    super({
      of: 'Notices',
      find: async () => {
        const rows = await findNotices(database, PER_LOOK)
        last = rows.length === PER_LOOK ? (rows.at(-1)?.id ?? 0) : 0
        return rows
      },
      claim: (row, until) => claimNotice(database, row, until),
      renew: ({ id }, until) => renewNotice(database, id, until),
      perform: async (row) => {
        const mails = (await areMailsDisabled(database, row.project_id)) ? [] : await write[row.kind](row)
        await inTransaction(database, async (tx) => {
          if (await deleteNotice(tx, row.id)) await queueMails(tx, mails)
        })
        if (row.id === last) this.wake()
      },
      // It counts as claimed until then.
      abort: ({ id }) => renewNotice(database, id, Date.now() + TRY_AGAIN_AFTER),
      logger,
    })
  }
}
