import { type RawBuilder, type Selectable, sql } from 'kysely'

import type { Database } from './connect.js'
import { dialectOf } from './dialect.js'
import type { Tables } from './tables/database-tables.js'

/**
 * Locks a row until the end of the transaction, and returns it; undefined if it does not exist. The lock is a
 * write, because the two databases have no common syntax for locks.
 */
export async function lockRow<Name extends 'feature_flag' | 'namespace' | 'project' | 'user' | 'web_hook'>(
  tx: Database,
  table: Name,
  id: number,
): Promise<Selectable<Tables[Name]> | undefined> {
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)} set name = name where id = ${id} returning *`.execute(tx)
  return rows[0]
}

/**
 * Locks a project until the end of the transaction, and returns it; undefined if it was deleted, or its deletion has
 * begun: what is left of it must not be changed, and has neither its name nor its path any more.
 */
export async function lockPresentProject(
  tx: Database,
  id: number,
): Promise<Selectable<Tables['project']> | undefined> {
  const project = await lockRow(tx, 'project', id)
  return project?.deletion_started_at === null ? project : undefined
}

/**
 * Locks all rows that meet a condition, in the order of their IDs, so that concurrent callers do not
 * deadlock.
 */
export async function lockRows(
  tx: Database,
  table: 'namespace' | 'project' | 'user',
  condition: RawBuilder<unknown>,
): Promise<void> {
  if (!hasRowLocks(tx)) return
  await sql`
    select id from ${sql.table(table)} where ${condition} order by id for no key update`.execute(tx)
}

/** False for SQLite, which has one writer at a time and needs no locks. */
export function hasRowLocks(database: Database): boolean {
  return dialectOf(database) === 'postgres'
}
