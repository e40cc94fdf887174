import type { Database } from '../../database/connect.js'

/** Rows per statement, so that concurrent writers wait only briefly. */
const BATCH = 1000

/**
 * Periodic task: deletes activity before `time` in batches until `signal` aborts. Returns the number of rows.
 */
export async function deleteActivityBefore(
  database: Database,
  time: number,
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0
  while (!signal.aborted) {
    const rows = await deleteSome(database, time)
    forgotten += rows
    if (rows < BATCH) break
  }
  return forgotten
}

/** Number of rows before `time`. */
export async function countActivityBefore(database: Database, time: number): Promise<number> {
  const { rows } = await database
    .selectFrom('activity')
    .select(({ fn }) => fn.countAll<number | string>().as('rows'))
    .where('created_at', '<', time)
    .executeTakeFirstOrThrow()
  return Number(rows)
}

async function deleteSome(database: Database, time: number): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('activity')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('activity')
        .select('id')
        .where('created_at', '<', time)
        .orderBy('created_at')
        .orderBy('id')
        .limit(BATCH),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
