import type { Kysely } from 'kysely'

import type { Tables } from './tables/database-tables.js'

/** Receives how long the work of a database took, in milliseconds. Its methods must not throw. */
export interface DatabaseTimings {
  /** `read`: a prepared read outside of transactions; `statement`: any other statement, `begin` and `commit` included. */
  statement: (kind: 'read' | 'statement', milliseconds: number) => void
  /** The wait of a transaction for a connection and, with SQLite, for the transactions before it. */
  transactionWait: (milliseconds: number) => void
  /** A transaction, from its begin until its commit is on disk. */
  transaction: (milliseconds: number) => void
}

const timingsByDatabase = new WeakMap<Kysely<Tables>, DatabaseTimings>()

/** Reports the times of a database from now on. */
export function measureDatabase(database: Kysely<Tables>, timings: DatabaseTimings): void {
  timingsByDatabase.set(database, timings)
}

/** Undefined if nobody measures the database. */
export function timingsOf(database: Kysely<Tables>): DatabaseTimings | undefined {
  return timingsByDatabase.get(database)
}
