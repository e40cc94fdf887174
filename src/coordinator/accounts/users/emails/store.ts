import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { UserEmailTable } from '../../../database/tables/users.js'
import { sameText } from '../../../database/text.js'

export type EmailRow = Selectable<UserEmailTable>

/** Secondary addresses, in order of creation. */
export function listEmails(database: Database, userId: number): Promise<EmailRow[]> {
  return database.selectFrom('user_email').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

export function findEmail(database: Database, userId: number, id: number): Promise<EmailRow | undefined> {
  return database
    .selectFrom('user_email')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Addresses that are confirmed to belong to the user. */
export async function listConfirmedEmails(database: Database, userId: number): Promise<string[]> {
  return (await listEmails(database, userId))
    .filter(({ confirmed_at }) => confirmed_at !== null)
    .map(({ email }) => email)
}

export function insertEmail(
  database: Database,
  userId: number,
  { email, isConfirmed }: { email: string; isConfirmed: boolean },
): Promise<EmailRow> {
  const now = Date.now()
  return database
    .insertInto('user_email')
    .values({ user_id: userId, email, confirmed_at: isConfirmed ? now : null, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteEmailRow(database: Database, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('user_email')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteEmailNamed(database: Database, userId: number, email: string): Promise<void> {
  await database
    .deleteFrom('user_email')
    .where('user_id', '=', userId)
    .where(({ ref }) => sameText(ref('email'), email))
    .execute()
}

/** Confirms an address of the user; false if the user no longer has it. */
export async function confirmEmailRow(database: Database, userId: number, email: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('user_email')
    .set({ confirmed_at: Date.now() })
    .where('user_id', '=', userId)
    .where(({ ref }) => sameText(ref('email'), email))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
