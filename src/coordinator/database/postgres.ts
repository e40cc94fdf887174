import { type Driver, PostgresDialect } from 'kysely'
import pg from 'pg'

import { shareNextCall } from '../../lib/share-next-call.js'
import type { DirectReads, Planning, StoreVersion } from './direct-reads.js'
import { RetryingDriver } from './retrying-driver.js'

/** Connects with the first query. `reads` are prepared once per connection, and planned only a few times. */
export function postgresDialect(url: string): { dialect: PostgresDialect; reads: DirectReads } {
  const pool = postgresPool(url)
  return { dialect: new RetryingDialect({ pool }), reads: new PreparedStatements(pool) }
}

class RetryingDialect extends PostgresDialect {
  override createDriver(): Driver {
    return new RetryingDriver(super.createDriver())
  }
}

/**
 * Maximum lifetime of a connection, in seconds. Plans are kept with their connection, and tables may have
 * changed a lot since.
 */
const PLAN_SECONDS = 300

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
    maxLifetimeSeconds: PLAN_SECONDS,
    verify: switchOffCompiler,
  })
  // Without a listener, a broken connection would end the process. The pool has already dropped an idle one,
  // and the next query reports the error if it cannot connect. A connection inside a transaction fails its
  // next query.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Called before the first use of a connection. Just-in-time compilation takes longer than any query of the
 * coordinator: seconds if PostgreSQL has no row estimates for a table yet.
 */
function switchOffCompiler(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query('set jit = off', done)
}

/**
 * Error code of a statement prepared before a table got another column: "cached plan must not change result
 * type".
 */
const CHANGED_RESULT = '0A000'

/**
 * Maximum number of prepared statements per connection, to limit its memory; lists of different lengths need
 * different statements.
 */
const MAX_STATEMENTS = 500

const SNAPSHOT = 'select cast(pg_current_snapshot() as text) as version'

class PreparedStatements implements DirectReads {
  private readonly names = new Map<string, string>()
  private renamed = 0

  constructor(private readonly pool: pg.Pool) {}

  async read<Row>(text: string, parameters: readonly unknown[], planning: Planning): Promise<Row[]> {
    if (planning === 'each time') return this.query<Row>({ text }, parameters)
    try {
      return await this.query<Row>(this.named(text), parameters)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== CHANGED_RESULT) throw error
      // New names make every connection prepare all statements again.
      this.names.clear()
      this.renamed++
      return this.query<Row>(this.named(text), parameters)
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
    statement: { text: string; name?: string },
    values: readonly unknown[],
  ): Promise<Row[]> {
    const { rows } = await this.pool.query({ ...statement, values: [...values] })
    return rows as Row[] // the row type is that of the query
  }

  private named(text: string): { text: string; name?: string } {
    const known = this.names.get(text)
    if (known !== undefined) return { text, name: known }
    if (this.names.size >= MAX_STATEMENTS) return { text }
    const name = `read_${this.renamed}_${this.names.size}`
    this.names.set(text, name)
    return { text, name }
  }
}
