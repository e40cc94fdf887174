import { PostgresAdapter, type RawBuilder, type Selectable, sql } from 'kysely'

import type { Database } from './connect.js'
import type { Tables } from './tables/database-tables.js'

/**
 * Makes whoever locks the same row wait until the transaction is over; answers the row as it is then, undefined when it is
 * gone. A write, for the databases spell locks differently.
 */
export async function lockRow<Name extends 'namespace' | 'project' | 'user' | 'web_hook'>(
  tx: Database,
  table: Name,
  id: number,
): Promise<Selectable<Tables[Name]> | undefined> {
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)} set name = name where id = ${id} returning *`.execute(tx)
  return rows[0]
}

/** The same of all rows that meet a condition, in the order of their ids: by all who lock several, without a deadlock. */
export async function lockRows(
  tx: Database,
  table: 'namespace' | 'project' | 'user',
  condition: RawBuilder<unknown>,
): Promise<void> {
  if (!hasRowLocks(tx)) return
  await sql`
    select id from ${sql.table(table)} where ${condition} order by id for no key update`.execute(tx)
}

/** SQLite has one writer at a time, and nothing to lock. */
export function hasRowLocks(database: Database): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter
}
