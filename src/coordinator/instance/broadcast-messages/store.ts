import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { BroadcastMessageTable } from '../../database/tables/broadcast-messages.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'

export type BroadcastMessageRow = Selectable<BroadcastMessageTable>

export function allBroadcastMessages(database: Database) {
  return database.selectFrom('broadcast_message')
}

/** The newest first. */
export function listBroadcastMessages(
  database: Database,
  paging: Paging,
): Promise<Rows<BroadcastMessageRow>> {
  const order = { table: 'broadcast_message', column: 'id', direction: 'desc' } as const
  return listRows(database, allBroadcastMessages(database), paging, order)
}

/** Those that are shown at a time, in milliseconds since 1970; the newest first, at most `limit`. */
export function listBroadcastMessagesAt(
  database: Database,
  time: number,
  limit: number,
): Promise<BroadcastMessageRow[]> {
  return allBroadcastMessages(database)
    .selectAll()
    .where('ends_at', '>', time)
    .where('starts_at', '<=', time)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findBroadcastMessage(
  database: Database,
  id: number,
): Promise<BroadcastMessageRow | undefined> {
  return allBroadcastMessages(database).selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertBroadcastMessage(
  database: Database,
  values: Insertable<BroadcastMessageTable>,
): Promise<BroadcastMessageRow> {
  return database.insertInto('broadcast_message').values(values).returningAll().executeTakeFirstOrThrow()
}

/** Undefined if it was deleted. */
export function updateBroadcastMessage(
  database: Database,
  id: number,
  changes: Updateable<BroadcastMessageTable>,
): Promise<BroadcastMessageRow | undefined> {
  return database
    .updateTable('broadcast_message')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Whether there was one. */
export async function deleteBroadcastMessageRow(database: Database, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('broadcast_message')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
