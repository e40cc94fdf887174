import type { PostgresQueryResult } from 'kysely'
import pg from 'pg'

import { type BuildRow, type ResultColumn, rowBuilder } from './row-builder.js'

/** What a query of `pg` uses of its connection. */
interface QueryConnection {
  readonly stream: { cork(): void; uncork(): void; readonly writableCorked: number }
  describe(message: unknown, more: unknown): void
}

type Callback = (error: Error | null, result?: unknown) => void

/** The part of a query that its client in `pg` uses; the types of `pg` have little of it. */
interface ClientQuery {
  name: string | undefined
  callback: Callback
  /** Returns an error if it cannot be sent. */
  submit(connection: QueryConnection): Error | null
  handleRowDescription(message: { fields: readonly Field[] }): void
  handleDataRow(message: { fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { text: string }): void
  handleReadyForQuery(): void
}

interface Field {
  name: string
  dataTypeID: number
}

const ClientQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => ClientQuery

/** The prepared statements of a connection, with the descriptions that it has received. */
class KnownStatements {
  /** By name: builds the rows. Undefined for a statement without rows. */
  private readonly builds = new Map<string, BuildRow | undefined>()
  /** The connection, but it asks for no descriptions. */
  private readonly undescribed: QueryConnection

  constructor(private readonly connection: QueryConnection) {
    this.undescribed = Object.assign(Object.create(connection) as QueryConnection, {
      describe: () => undefined,
    })
  }

  /** The connection to submit a statement to, which describes its rows if they are not known. */
  describing(name: string): QueryConnection {
    return this.builds.has(name) ? this.undescribed : this.connection
  }

  buildOf(name: string): BuildRow | undefined {
    return this.builds.get(name)
  }

  add(name: string, build: BuildRow | undefined): void {
    this.builds.set(name, build)
  }
}

const knownStatements = new WeakMap<QueryConnection, KnownStatements>()

function statementsOf(connection: QueryConnection): KnownStatements {
  const known = knownStatements.get(connection)
  if (known) return known
  const statements = new KnownStatements(connection)
  knownStatements.set(connection, statements)
  return statements
}

/**
 * A query that costs less than one of `pg`. It asks for the columns of a prepared statement once per connection: to read their
 * description takes longer than to read a row, and PostgreSQL refuses a statement whose columns have changed. The queries of
 * a turn of the event loop are written to a connection together.
 */
export class PostgresQuery<Row> extends ClientQuery {
  readonly result: Promise<PostgresQueryResult<Row>>
  private readonly found: Row[] = []
  private statements: KnownStatements | undefined
  private build: BuildRow | undefined
  private failure: Error | undefined
  private tag = ''

  /** `name`: of the prepared statement, if it is one. */
  constructor(text: string, values: readonly unknown[], name: string | undefined) {
    super(text, values)
    this.name = name
    this.result = new Promise((resolve, reject) => {
      this.callback = (error) => (error ? reject(error) : resolve({ ...readTag(this.tag), rows: this.found }))
    })
  }

  override submit(connection: QueryConnection): Error | null {
    corkUntilEndOfTurn(connection)
    if (this.name === undefined) return super.submit(connection)
    this.statements = statementsOf(connection)
    this.build = this.statements.buildOf(this.name)
    return super.submit(this.statements.describing(this.name))
  }

  override handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.build = buildOf(fields)
  }

  override handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.failure) return
    try {
      this.found.push(this.build?.(fields) as Row) // the row type is that of the query
    } catch (error) {
      this.failure = error as Error // of a value that cannot be read
    }
  }

  override handleCommandComplete({ text }: { text: string }): void {
    this.tag = text
    if (this.name !== undefined) this.statements?.add(this.name, this.build)
  }

  override handleReadyForQuery(): void {
    this.callback(this.failure ?? null)
  }
}

/** `pg` would write each query by itself, and a write takes the system longer than the query takes this process. */
function corkUntilEndOfTurn({ stream }: QueryConnection): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** `SELECT 2`, `UPDATE 2` or `INSERT 0 2`: the command, and the number of rows. */
function readTag(tag: string): Pick<PostgresQueryResult<unknown>, 'command' | 'rowCount'> {
  const words = tag.split(' ')
  // Kysely compares the command with those that change rows.
  return { command: words[0] as 'SELECT', rowCount: Number(words.at(-1)) }
}

/** IDs, counts and times fit a double; as strings, every reader would have to convert them. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

const asText: unknown = pg.types.getTypeParser(pg.types.builtins.TEXT)

/** Maximum number of column lists to know; the coordinator has a few hundred different statements. */
const MAX_BUILDS = 1000

const builds = new Map<string, BuildRow>()

/** Statements with the same columns share a function, on all connections. */
function buildOf(fields: readonly Field[]): BuildRow {
  let key = ''
  for (const { name, dataTypeID } of fields) key += `${dataTypeID} ${name}\n`
  const known = builds.get(key)
  if (known) return known
  if (builds.size >= MAX_BUILDS) builds.clear()
  const build = rowBuilder(fields.map(toColumn))
  builds.set(key, build)
  return build
}

function toColumn({ name, dataTypeID }: Field): ResultColumn {
  const read: unknown = types.getTypeParser(dataTypeID, 'text')
  return { name, read: read === asText ? undefined : (read as ResultColumn['read']) } // its types say less
}
