import { type CompiledQuery, sql } from 'kysely'
import PQueue from 'p-queue'

import type { Database } from '../../database/connect.js'
import { executeTogether } from '../../database/execute-together.js'
import { PreparedStatement } from '../../database/prepared-statement.js'
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
   * Runs `work` in a transaction under the lock, on PostgreSQL, with the result of `read`, which is executed under the lock
   * too. All coordinators wait for its statements, so it should have few. The commit does not wait for the disk: a claim that
   * is lost in a crash of PostgreSQL was not made, and the later commit that starts its jobs makes it durable too.
   */
  run<Row, T>(
    read: (tx: Transaction) => CompiledQuery<Row>,
    work: (tx: Transaction, rows: Row[]) => Promise<T>,
  ): Promise<T> {
    return this.waiting.add(() =>
      inTransaction(this.database, async (tx) => {
        const [, { rows }] = await executeTogether<[unknown, Row]>(tx, [lock.with(tx, {}), read(tx)])
        return work(tx, rows)
      }),
    )
  }
}

const lock = new PreparedStatement(
  () => sql`
    select pg_advisory_xact_lock(${sql.lit(LOCK)}), set_config('synchronous_commit', 'off', true)`,
)
