import { type Dialect, Kysely } from 'kysely'

import { type DirectReads, useDirectReads } from './direct-reads.js'
import { postgresDialect } from './postgres.js'
import { sqliteDialect } from './sqlite.js'
import type { Tables } from './tables/database-tables.js'

/** The database, or a transaction on it; query functions take either. */
export type Database = Kysely<Tables>

export type DialectName = 'sqlite' | 'postgres'

export type DatabaseSettings = { dialect: 'sqlite'; file: string } | { dialect: 'postgres'; url: string }

/** Opens the database; the connection to PostgreSQL is made with the first query. */
export function connectDatabase(settings: DatabaseSettings): Database {
  switch (settings.dialect) {
    case 'sqlite':
      return withDirectReads(sqliteDialect(settings.file))
    case 'postgres':
      return withDirectReads(postgresDialect(settings.url))
  }
}

function withDirectReads({ dialect, reads }: { dialect: Dialect; reads: DirectReads }): Database {
  const database = new Kysely<Tables>({ dialect })
  useDirectReads(database, reads)
  return database
}
