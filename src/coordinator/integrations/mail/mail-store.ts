import type { Insertable, Selectable } from 'kysely'

import { chunks } from '../../../lib/chunks.js'
import type { Database } from '../../database/connect.js'
import { claimRow } from '../../database/due-rows.js'
import type { MailTable } from '../../database/tables/mails.js'
import type { Transaction } from '../../database/transaction.js'

export type MailRow = Selectable<MailTable>

/** Rows per statement in both databases. */
const ROWS_PER_INSERT = 200

export async function insertMails(tx: Transaction, rows: readonly Insertable<MailTable>[]): Promise<void> {
  for (const some of chunks(rows, ROWS_PER_INSERT)) await tx.insertInto('mail').values(some).execute()
}

/** Begins an attempt that counts as abandoned at `until`. False if another coordinator has begun it. */
export function claimMail(
  database: Database,
  { id, due_at }: Pick<MailRow, 'id' | 'due_at'>,
  until: number,
): Promise<boolean> {
  return claimRow(
    database
      .updateTable('mail')
      .set((eb) => ({ due_at: until, attempts: eb('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('due_at', '=', due_at),
  )
}

export async function postponeMail(database: Database, id: number, until: number): Promise<void> {
  await database.updateTable('mail').set({ due_at: until }).where('id', '=', id).execute()
}

export async function deleteMail(database: Database, id: number): Promise<void> {
  await database.deleteFrom('mail').where('id', '=', id).execute()
}
