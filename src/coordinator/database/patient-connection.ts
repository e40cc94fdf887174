import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

import { pause } from '../../lib/pause.js'
import { isDatabaseBusy } from './store-gone.js'

/** How long a statement waits for a lock of another process, from when it was asked for, in milliseconds. */
export const BUSY_TIMEOUT = 5000
/** Milliseconds between two attempts. */
const INTERVAL = 20

/**
 * The connection of SQLite from its acquisition to its release. SQLite waits for the lock of another process in the
 * calling thread, which blocks the event loop. This class repeats the statement later instead. A transaction takes the
 * lock when it begins, so its later statements do not wait.
 */
export class PatientConnection implements DatabaseConnection {
  private isInTransaction = false

  /**
   * @param asked when the connection was asked for: who waits behind another one waits no longer than that
   * @param leaveToOthers calls its argument while others may use the connection, such as to read
   */
  constructor(
    private readonly connection: DatabaseConnection,
    private readonly asked: number,
    private readonly leaveToOthers: (wait: () => Promise<void>) => Promise<void>,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        const result = await this.connection.executeQuery<Row>(query)
        if (query.sql.startsWith('begin')) this.isInTransaction = true
        if (query.sql === 'commit' || query.sql === 'rollback') this.isInTransaction = false
        return result
      } catch (error) {
        const isLate = performance.now() - this.asked >= BUSY_TIMEOUT
        // Others must not use the connection within a transaction.
        if (this.isInTransaction || isLate || !isDatabaseBusy(error)) throw error
        await this.leaveToOthers(() => pause(INTERVAL))
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize)
  }
}
