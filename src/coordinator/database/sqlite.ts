import Sqlite from 'better-sqlite3'
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'

import type { DirectReads } from './direct-reads.js'

/**
 * SQLite knows neither booleans nor JSON. Columns are declared `boolean` and `json` all the same, and the declared
 * type of each result column decides here how its value is read, so that rows look alike in both dialects.
 *
 * There are two connections: the dialect's own, which transactions take by turns, and one for `reads`, which therefore
 * wait for nobody and see what was committed last.
 */
export function sqliteDialect(file: string): { dialect: SqliteDialect; reads: DirectReads } {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  // A commit is on the disk when it returns: a status that a runner was told about survives a power cut.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('busy_timeout = 5000')
  const reader = new TypedDatabase(new Sqlite(file, { readonly: true }))
  const writer = new TypedDatabase(database, () => reader.close())
  return { dialect: new SqliteDialect({ database: writer }), reads: reader }
}

/** Prepared statements are kept: the same few hundred texts come again and again. */
const MAX_STATEMENTS = 500

class TypedDatabase implements SqliteDatabase, DirectReads {
  private readonly statements = new Map<string, SqliteStatement>()

  constructor(
    private readonly database: Sqlite.Database,
    private readonly onClose?: () => void,
  ) {}

  read<Row>(text: string, parameters: unknown[]): Row[] {
    return this.prepare(text).all(parameters) as Row[] // the query says what its rows are
  }

  prepare(sql: string): SqliteStatement {
    const known = this.statements.get(sql)
    if (known) return known
    const statement = typedStatement(this.database.prepare(sql))
    if (this.statements.size >= MAX_STATEMENTS) this.statements.clear()
    this.statements.set(sql, statement)
    return statement
  }

  close(): void {
    this.onClose?.()
    this.statements.clear()
    this.database.close()
  }
}

function typedStatement(statement: Sqlite.Statement): SqliteStatement {
  const readRow = statement.reader ? rowReader(statement) : undefined
  return {
    reader: statement.reader,
    all: (parameters) => readAll(statement.all(parameters.map(toParameter)), readRow),
    run: (parameters) => statement.run(parameters.map(toParameter)),
    *iterate(parameters) {
      for (const row of statement.iterate(parameters.map(toParameter))) yield readRow ? readRow(row) : row
    },
  }
}

function toParameter(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

function readAll(rows: unknown[], readRow: RowReader | undefined): unknown[] {
  return readRow ? rows.map(readRow) : rows
}

type RowReader = (row: unknown) => unknown

/** Undefined where rows are right as they come. */
function rowReader(statement: Sqlite.Statement): RowReader | undefined {
  const readers = statement.columns().flatMap(({ name, type }) => {
    const read = type === 'boolean' ? readBoolean : type === 'json' ? readJson : undefined
    return read ? [{ name, read }] : []
  })
  if (readers.length === 0) return undefined
  return (row) => {
    const record = row as Record<string, unknown>
    for (const { name, read } of readers) record[name] = read(record[name])
    return record
  }
}

function readBoolean(value: unknown): unknown {
  return value === null ? null : value === 1
}

function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}
