import { type Dialect, Kysely, type LogEvent } from 'kysely'

import { type DirectReads, useDirectReads } from './direct-reads.js'
import { postgresDialect } from './postgres.js'
import { sqliteDialect } from './sqlite.js'
import type { Tables } from './tables/database-tables.js'
import { timingsOf } from './timings.js'

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
  const log = ({ queryDurationMillis }: LogEvent): void =>
    timingsOf(database)?.statement('statement', queryDurationMillis)
  const database = new Kysely<Tables>({ dialect, log })
  useDirectReads(database, measuredReads(database, reads))
  return database
}

function measuredReads(database: Database, reads: DirectReads): DirectReads {
  const measured = <Result>(work: () => Result | Promise<Result>): Result | Promise<Result> => {
    const timings = timingsOf(database)
    if (!timings) return work()
    const begin = performance.now()
    const end = (): void => timings.statement('read', performance.now() - begin)
    const result = work()
    if (result instanceof Promise) return result.finally(end)
    end()
    return result
  }
  return {
    isRemote: reads.isRemote,
    read: (text, parameters) => measured(() => reads.read(text, parameters)),
    version: () => measured(() => reads.version()),
  }
}
