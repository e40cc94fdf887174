import { type Driver, PostgresDialect } from 'kysely'
import pg from 'pg'

import { shareNextCall } from '../../lib/share-next-call.js'
import type { DirectReads, StoreVersion } from './direct-reads.js'
import { isStalePlan } from './lost-race.js'
import { NamingPool, StatementNames } from './named-statements.js'
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
}

/** Maximum lifetime of a connection, in seconds, to limit its memory. */
const CONNECTION_SECONDS = 300

/**
 * Maximum age of the plans of a connection when it is taken from the pool, in milliseconds. A plan is made for the size
 * that the tables then have, and a plan for an empty table is bad for a large one.
 */
const PLAN_MILLISECONDS = 2000

/** IDs, counts and times fit a double; as strings, every reader would have to convert them. */
function postgresPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    types,
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

  constructor(
    private readonly pool: pg.Pool,
    private readonly names: StatementNames,
  ) {}

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
    const { rows } = await this.pool.query({ text, values: [...values], ...(name !== undefined && { name }) })
    return rows as Row[] // the row type is that of the query
  }
}
