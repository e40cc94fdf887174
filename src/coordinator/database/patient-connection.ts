import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

import { pause } from '../../lib/pause.js'
import { isDatabaseBusy } from './store-gone.js'

/** How long a statement waits for a lock of another process, from when it was asked for, in milliseconds. */
export const BUSY_TIMEOUT = 5000
/** Milliseconds between two attempts. */
const INTERVAL = 20

/**
 * The connection of SQLite from its acquisition to its release. SQLite itself waits for the lock of another process in
 * the thread that asks, and nothing else would run meanwhile: this asks again later instead. Only the first statement may
 * have to wait, as a transaction takes the lock with it.
 */
export class PatientConnection implements DatabaseConnection {
  /** @param asked when the connection was asked for: who waits behind another one waits no longer than that */
  constructor(
    private readonly connection: DatabaseConnection,
    private readonly asked: number,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (;;) {
      try {
        return await this.connection.executeQuery<Row>(query)
      } catch (error) {
        if (!isDatabaseBusy(error) || performance.now() - this.asked >= BUSY_TIMEOUT) throw error
        await pause(INTERVAL)
      }
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize)
  }
}
