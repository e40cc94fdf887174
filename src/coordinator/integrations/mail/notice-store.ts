import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { MailNoticeTable, NoticeKind } from '../../database/tables/mails.js'
import { afterCommit, type Transaction } from '../../database/transaction.js'
import { mailContextOf } from './mail-context.js'

export type NoticeRow = Selectable<MailNoticeTable>

/**
 * Stores a change about which mails are to be written, in its transaction. Their recipients are found in the
 * background. Does nothing if this coordinator sends no mails.
 */
export async function storeNotice(
  tx: Transaction,
  kind: NoticeKind,
  projectId: number,
  facts: object,
): Promise<void> {
  const context = mailContextOf(tx)
  if (!context) return
  const values = { project_id: projectId, kind, facts: JSON.stringify(facts), created_at: Date.now() }
  await tx.insertInto('mail_notice').values(values).execute()
  afterCommit(tx, context.onNotice)
}

/** Open notices, oldest first. */
export function findNotices(database: Database, limit: number): Promise<NoticeRow[]> {
  return database.selectFrom('mail_notice').selectAll().orderBy('id').limit(limit).execute()
}

/** False if another coordinator has claimed or completed it. */
export async function claimNotice(
  database: Database,
  { id, claimed_until }: Pick<NoticeRow, 'id' | 'claimed_until'>,
  until: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('mail_notice')
    .set({ claimed_until: until })
    .where('id', '=', id)
    .where('claimed_until', claimed_until === null ? 'is' : '=', claimed_until)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function renewNotice(database: Database, id: number, until: number | null): Promise<void> {
  await database.updateTable('mail_notice').set({ claimed_until: until }).where('id', '=', id).execute()
}

/** False if it was deleted already, so that its mails are stored. */
export async function deleteNotice(tx: Transaction, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('mail_notice').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}
