import { PostgresAdapter } from 'kysely'

import type { Database, DialectName } from './connect.js'

export function dialectOf(database: Database): DialectName {
  return database.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
