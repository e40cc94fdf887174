import { sql } from 'kysely'
import PQueue from 'p-queue'

import type { Database, DialectName } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'

/** Of the lock that whoever shares out turns between projects holds, in all coordinators on one PostgreSQL. */
const LOCK = 8_929_001

/**
 * Claims whose order depends on what the others claim: they are made one after the other, by all coordinators, so that
 * each counts the jobs of those before it (CI language, 14.2). The lock is taken before any row: nobody who holds a row
 * waits for it.
 */
export class FairTurn {
  /** Of this process only one connection waits for the lock. */
  private readonly waiting = new PQueue({ concurrency: 1 })

  constructor(
    private readonly database: Database,
    private readonly dialect: DialectName,
  ) {}

  /** SQLite has one writer at a time anyway. */
  take<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.dialect === 'sqlite') return inTransaction(this.database, work)
    return this.waiting.add(() =>
      inTransaction(this.database, async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
        return work(tx)
      }),
    )
  }
}
