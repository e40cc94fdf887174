import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'

import { retry } from '../../lib/retry.js'
import { AFTER_LOST_RACE } from './lost-race.js'

type Compile = Parameters<NonNullable<Driver['savepoint']>>[2]

/**
 * Sends the begin of a transaction together with its first statement, which saves a round trip.
 *
 * Runs statements outside of transactions again that PostgreSQL has aborted because of a deadlock, as `inTransaction`
 * does with transactions. A statement may wait for a row that others have locked, before transactions that wait for the
 * same row: it is then part of their deadlock.
 */
export class RetryingDriver implements Driver {
  constructor(private readonly driver: Driver) {}

  init(): Promise<void> {
    return this.driver.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new RetryingConnection(await this.driver.acquireConnection())
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const own = ownOf(connection)
    own.begin(this.driver.beginTransaction(own.connection, settings))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const own = ownOf(connection)
    await own.hasBegun()
    await this.driver.commitTransaction(own.connection)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.driver.rollbackTransaction(ownOf(connection).connection)
  }

  async savepoint(connection: DatabaseConnection, name: string, compile: Compile): Promise<void> {
    await this.driver.savepoint?.(ownOf(connection).connection, name, compile)
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string, compile: Compile): Promise<void> {
    await this.driver.rollbackToSavepoint?.(ownOf(connection).connection, name, compile)
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string, compile: Compile): Promise<void> {
    await this.driver.releaseSavepoint?.(ownOf(connection).connection, name, compile)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.driver.releaseConnection(ownOf(connection).connection)
  }

  destroy(): Promise<void> {
    return this.driver.destroy()
  }
}

/** A connection from its acquisition to its release. */
class RetryingConnection implements DatabaseConnection {
  private isInTransaction = false
  /** Set until the first statement of the transaction. */
  private beginning: Promise<void> | undefined

  constructor(readonly connection: DatabaseConnection) {}

  /** `beginning` has been sent. */
  begin(beginning: Promise<void>): void {
    this.isInTransaction = true
    this.beginning = beginning
    beginning.catch(() => undefined) // the first statement reports it
  }

  async hasBegun(): Promise<void> {
    await this.beginning
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const execute = () => this.connection.executeQuery<Row>(query)
    if (!this.isInTransaction) return retry(execute, AFTER_LOST_RACE)
    const { beginning } = this
    this.beginning = undefined
    const [result] = await Promise.all([execute(), beginning])
    return result
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize)
  }
}

function ownOf(connection: DatabaseConnection): RetryingConnection {
  if (connection instanceof RetryingConnection) return connection
  throw new TypeError('The connection is not one of this driver')
}
