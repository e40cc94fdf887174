import { type Selectable, sql, type UpdateResult } from 'kysely'

import type { Database } from './connect.js'
import type { Tables } from './tables/database-tables.js'

/** A table of tasks, each with the time of its next attempt. */
type Queue = 'chat_reply' | 'external_build' | 'mail'

/** Rows of a queue that are due at `now`, the longest due first. */
export async function findDueRows<Name extends Queue>(
  database: Database,
  queue: Name,
  now: number,
  limit: number,
): Promise<Selectable<Tables[Name]>[]> {
  const { rows } = await sql<Selectable<Tables[Name]>>`
    select * from ${sql.table(queue)} where due_at <= ${now} order by due_at, id limit ${limit}`.execute(
    database,
  )
  return rows
}

/** The time at which the first row of a queue is due; undefined if no row waits. */
export async function nextDueAt(database: Database, queue: Queue): Promise<number | undefined> {
  const first = await database
    .selectFrom(queue)
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.due_at ?? undefined
}

/** Runs a statement that claims one row. False if another worker has claimed it before. */
export async function claimRow(update: { executeTakeFirst: () => Promise<UpdateResult> }): Promise<boolean> {
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows === 1n
}
