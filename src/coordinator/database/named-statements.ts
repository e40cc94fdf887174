import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'

import { isStalePlan } from './lost-race.js'
import { PostgresQuery } from './postgres-query.js'
import { isPrepared } from './prepared-texts.js'

/**
 * Maximum number of prepared statements per connection, to limit its memory; lists of different lengths need
 * different statements.
 */
const MAX_STATEMENTS = 500

/** The names under which the connections of a pool prepare statements. */
export class StatementNames {
  private readonly names = new Map<string, string>()
  private generation = 0

  /** Undefined if there are too many statements. */
  nameOf(text: string): string | undefined {
    const known = this.names.get(text)
    if (known !== undefined || this.names.size >= MAX_STATEMENTS) return known
    const name = `${this.generation}_${this.names.size}`
    this.names.set(text, name)
    return name
  }

  /**
   * The plan of the statement with this name is stale: new names make every connection prepare all statements again.
   * Other statements may find this soon afterwards, which changes nothing.
   */
  renew(name: string | undefined): void {
    if (!name?.startsWith(`${this.generation}_`)) return
    this.names.clear()
    this.generation++
  }
}

/** A pool for Kysely, whose connections give names to prepared statements. */
export class NamingPool implements PostgresPool {
  private readonly clients = new WeakMap<pg.PoolClient, NamingClient>()

  constructor(
    private readonly pool: pg.Pool,
    private readonly names: StatementNames,
  ) {}

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.pool.connect()
    const naming = this.clients.get(client) ?? new NamingClient(client, this.names)
    this.clients.set(client, naming)
    return naming
  }

  end(): Promise<void> {
    return this.pool.end()
  }
}

class NamingClient implements PostgresPoolClient {
  constructor(
    private readonly client: pg.PoolClient,
    private readonly names: StatementNames,
  ) {}

  query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== 'string') throw new TypeError('Connections that pipeline statements have no cursors')
    return this.execute(text, values)
  }

  release(): void {
    this.client.release()
  }

  private async execute<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const name = isPrepared(text) ? this.names.nameOf(text) : undefined
    const query = new PostgresQuery<Row>(text, values, name)
    this.client.query(query)
    try {
      return await query.result
    } catch (error) {
      if (isStalePlan(error)) this.names.renew(name)
      throw error
    }
  }
}
