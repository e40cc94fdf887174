import { sql } from 'kysely'
import PQueue from 'p-queue'

import type { Database, DialectName } from '../../database/connect.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'

/** Key of the advisory lock for fair claims, shared by all coordinators on one PostgreSQL. */
const LOCK = 8_929_001

/**
 * Runs claims whose order depends on other claims. All coordinators run them one after the other, so that
 * each claim counts the jobs of earlier ones (CI language, 14.2). The lock is taken before any row: a
 * transaction that holds a row never waits for it.
 */
export class FairnessLock {
  /** Only one connection of this process waits for the lock. */
  private readonly waiting = new PQueue({ concurrency: 1 })

  constructor(
    private readonly database: Database,
    private readonly dialect: DialectName,
  ) {}

  /** SQLite has one writer at a time anyway. */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.dialect === 'sqlite') return inTransaction(this.database, work)
    return this.waiting.add(() =>
      inTransaction(this.database, async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
        return work(tx)
      }),
    )
  }
}
