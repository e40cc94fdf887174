import { type Driver, PostgresDialect, type PostgresQueryResult, type QueryCompiler } from 'kysely'
import pg from 'pg'

import { chunks } from '../../lib/chunks.js'
import { shareNextCall } from '../../lib/share-next-call.js'
import type { DirectReads, StoreVersion } from './direct-reads.js'
import { isStalePlan } from './lost-race.js'
import { NamingPool, StatementNames } from './named-statements.js'
import { PostgresCompiler } from './postgres-compiler.js'
import { PostgresQuery } from './postgres-query.js'
import { RetryingDriver } from './retrying-driver.js'

/** Connects with the first query. Prepared statements are parsed once per connection, and planned every few seconds. */
export function postgresDialect(url: string): { dialect: PostgresDialect; reads: DirectReads } {
  const pool = postgresPool(url)
  const names = new StatementNames()
  return {
    dialect: new RetryingDialect({ pool: new NamingPool(pool, names) }),
    reads: new Reads(pool, names),
  }
}

class RetryingDialect extends PostgresDialect {
  override createDriver(): Driver {
    return new RetryingDriver(super.createDriver())
  }

  override createQueryCompiler(): QueryCompiler {
    return new PostgresCompiler()
  }
}

/** Maximum lifetime of a connection, in seconds, to limit its memory. */
const CONNECTION_SECONDS = 300

/**
 * Maximum age of the plans of a connection when it is taken from the pool, in milliseconds. A plan is made for the size
 * that the tables then have, and a plan for an empty table is bad for a large one.
 */
const PLAN_MILLISECONDS = 2000

function postgresPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    // Statements of a transaction that are sent together take one round trip (`executeTogether`).
    pipeline: true,
    maxLifetimeSeconds: CONNECTION_SECONDS,
    verify: switchOffCompiler,
  })
  // Without a listener, a broken connection would end the process. The pool has already dropped an idle one,
  // and the next query reports the error if it cannot connect. A connection inside a transaction fails its
  // next query.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('acquire', dropOldPlans())
  return pool
}

/**
 * Called before the first use of a connection. Just-in-time compilation takes longer than any query of the
 * coordinator: seconds if PostgreSQL has no row estimates for a table yet.
 */
function switchOffCompiler(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query('set jit = off', done)
}

/** Returns a function that is called before each use of a connection. */
function dropOldPlans(): (client: pg.PoolClient) => void {
  const droppedAt = new WeakMap<pg.PoolClient, number>()
  return (client) => {
    const now = performance.now()
    const last = droppedAt.get(client)
    if (last !== undefined && now - last < PLAN_MILLISECONDS) return
    droppedAt.set(client, now)
    // A new connection has no plans. On a broken one, the statement that it is used for fails as well.
    if (last !== undefined) client.query('discard plans').catch(() => undefined)
  }
}

const SNAPSHOT = 'select cast(pg_current_snapshot() as text) as version'

class Reads implements DirectReads {
  readonly isRemote = true
  private readonly turns: TurnsOfQueries

  constructor(
    pool: pg.Pool,
    private readonly names: StatementNames,
  ) {
    this.turns = new TurnsOfQueries(pool)
  }

  async read<Row>(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    const name = this.names.nameOf(text)
    try {
      return await this.query<Row>({ text, name }, parameters)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.names.renew(name)
      return this.query<Row>({ text, name: this.names.nameOf(text) }, parameters)
    }
  }

  /**
   * The text of a snapshot identifies what it sees: it includes every write transaction that has ended, and
   * no running one.
   */
  readonly version = shareNextCall(async (): Promise<StoreVersion> => {
    const [row] = await this.query<{ version: string }>({ text: SNAPSHOT, name: 'store_version' }, [])
    if (!row) throw new TypeError('PostgreSQL returned no snapshot')
    return row.version
  })

  private async query<Row>(
    { text, name }: { text: string; name: string | undefined },
    values: readonly unknown[],
  ): Promise<Row[]> {
    try {
      return (await this.turns.run(new PostgresQuery<Row>(text, values, name))).rows
    } catch (error) {
      // The stack of the error is that of the arriving response and does not show the caller.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
}

/** Maximum number of queries that share a connection: there, they are run one after the other. */
const MAX_PER_CONNECTION = 16

/**
 * Runs queries outside of transactions. Those of a turn of the event loop share a connection, and take one round trip there:
 * to wake a process of PostgreSQL takes longer than the query of a few rows.
 */
class TurnsOfQueries {
  private waiting: PostgresQuery<unknown>[] = []

  constructor(private readonly pool: pg.Pool) {}

  run<Row>(query: PostgresQuery<Row>): Promise<PostgresQueryResult<Row>> {
    if (this.waiting.length === 0) process.nextTick(() => this.send())
    this.waiting.push(query)
    return query.result
  }

  private send(): void {
    for (const queries of chunks(this.waiting, MAX_PER_CONNECTION)) this.sendTogether(queries)
    this.waiting = []
  }

  private sendTogether(queries: readonly PostgresQuery<unknown>[]): void {
    this.pool.connect((error, client, release) => {
      if (client) {
        for (const query of queries) client.query(query)
        void Promise.allSettled(queries.map(({ result }) => result)).then(() => release())
      } else for (const query of queries) query.callback(error ?? new Error('There is no connection'))
    })
  }
}
