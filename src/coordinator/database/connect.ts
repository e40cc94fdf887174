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

const INT8 = 20

/** Ids, counts and times fit a double; as strings they would only be converted by every reader. */
function postgresPool(url: string): pg.Pool {
  return new pg.Pool({
    connectionString: url,
    max: 20,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (value: string) => unknown),
    } as pg.CustomTypesConfig,
  })
}
