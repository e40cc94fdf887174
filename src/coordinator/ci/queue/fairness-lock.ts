import { sql } from 'kysely'
import PQueue from 'p-queue'

import type { Database } from '../../database/connect.js'
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

  constructor(private readonly database: Database) {}

  /**
   * Runs `work` in a transaction under the lock, on PostgreSQL. All coordinators wait for its statements, so it should have
   * few. The commit does not wait for the disk: a claim that is lost in a crash of PostgreSQL was not made, and the later
   * commit that starts its jobs makes it durable too.
   */
  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.waiting.add(() =>
      inTransaction(this.database, async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCK}), set_config('synchronous_commit', 'off', true)`.execute(
          tx,
        )
        return work(tx)
      }),
    )
  }
}
