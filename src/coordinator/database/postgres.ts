import { PostgresDialect } from 'kysely'
import pg from 'pg'

import { shareNextCall } from '../../lib/share-next-call.js'
import type { DirectReads, Planning, StoreVersion } from './direct-reads.js'

/** Nothing is sent before the first query. `reads` are prepared once on each connection, and planned a few times only. */
export function postgresDialect(url: string): { dialect: PostgresDialect; reads: DirectReads } {
  const pool = postgresPool(url)
  return { dialect: new PostgresDialect({ pool }), reads: new PreparedStatements(pool) }
}

/** Plans are kept for as long as their connection at most: meanwhile tables may have become very different ones. */
const PLAN_SECONDS = 300

/** Ids, counts and times fit a double; as strings they would only be converted by every reader. */
function postgresPool(url: string): pg.Pool {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: url,
    max: 20,
    types,
    maxLifetimeSeconds: PLAN_SECONDS,
    verify: switchOffCompiler,
  })
  // Without a listener a connection that breaks would end the process. One that is idle the pool has dropped already, and
  // the next query that cannot connect says so; one in a transaction fails that with its next query.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/**
 * Done before a connection is used for the first time. To compile a query takes longer than any of ours runs: seconds where
 * PostgreSQL does not know yet how many rows a table has.
 */
function switchOffCompiler(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query('set jit = off', done)
}

/** Of one statement that was prepared before a table got another column: "cached plan must not change result type". */
const CHANGED_RESULT = '0A000'

/** Each connection keeps as many; lists of all lengths are not worth more of its memory. */
const MAX_STATEMENTS = 500

const SNAPSHOT = 'select cast(pg_current_snapshot() as text) as version'

class PreparedStatements implements DirectReads {
  private readonly names = new Map<string, string>()
  private renamed = 0

  constructor(private readonly pool: pg.Pool) {}

  async read<Row>(text: string, parameters: unknown[], planning: Planning): Promise<Row[]> {
    if (planning === 'each time') return this.query<Row>({ text }, parameters)
    try {
      return await this.query<Row>(this.named(text), parameters)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== CHANGED_RESULT) throw error
      // Under new names everything is prepared anew, on every connection.
      this.names.clear()
      this.renamed++
      return this.query<Row>(this.named(text), parameters)
    }
  }

  /**
   * What a snapshot sees is all in its text: every transaction that wrote and has ended since has moved it, and none that
   * is under way is seen.
   */
  readonly version = shareNextCall(async (): Promise<StoreVersion> => {
    const [row] = await this.query<{ version: string }>({ text: SNAPSHOT, name: 'store_version' }, [])
    if (!row) throw new TypeError('PostgreSQL does not tell its snapshot')
    return row.version
  })

  private async query<Row>(statement: { text: string; name?: string }, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query({ ...statement, values })
    return rows as Row[] // the query says what its rows are
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
