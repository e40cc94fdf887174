import type { UpdateResult } from 'kysely'

import type { Database } from './connect.js'

/** A table of tasks, each with the time of its next attempt. */
type Queue = 'chat_reply' | 'external_build' | 'mail'

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
