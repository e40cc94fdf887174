import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

import type { Tables } from '../tables.js'
import { sqliteDialect } from './sqlite.js'

/** The store, or a transaction on it: what a query function takes. */
export type Database = Kysely<Tables>

export type DialectName = 'sqlite' | 'postgres'

export type DatabaseSettings = { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; url: string }

/** Opens the store; nothing is sent to PostgreSQL before the first query. */
export function connectDatabase(settings: DatabaseSettings): Database {
  switch (settings.dialect) {
    case 'sqlite':
      return new Kysely<Tables>({ dialect: sqliteDialect(settings.file) })
    case 'postgres':
      return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: postgresPool(settings.url) }) })
  }
}

/** Ids, counts and times fit a double; as strings they would only be converted by every reader. */
function postgresPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({ connectionString: url, max: 20, types })
  // A connection that breaks while idle would end the process without a listener; the pool has dropped it already,
  // and the next query that cannot connect says so.
  pool.on('error', () => undefined)
  return pool
}
