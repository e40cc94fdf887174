import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'

import Sqlite from 'better-sqlite3'

import { migrations } from '../migrations/index.js'
import { refuseUnreleasedSchema } from '../released-schema.js'
import { MOVE, MoveError } from './move-state.js'
import type { SqliteValue } from './values.js'

/** How long to wait for a process that ends. */
const BUSY_TIMEOUT = 2000

const LEFT_OUT = new RegExp(`^sqlite_|^kysely_|_text_due$|^coordinator$|^${MOVE}$`)

export interface Move {
  /** Equal in source and target. */
  id: string
  isComplete: boolean
}

interface StoredMove {
  id: string
  completed_at: bigint | null
}

export interface SourceRow {
  /** Ascending. */
  rowid: bigint
  values: SqliteValue[]
}

/** The database of SQLite that is moved. No other process can open it until `close`. */
export class MoveSource {
  private constructor(
    private readonly database: Sqlite.Database,
    private readonly file: string,
  ) {}

  /** Throws `MoveError` if it does not exist, or another process has it open. */
  static open(file: string): MoveSource {
    if (!existsSync(file)) {
      throw new MoveError(`${file} does not exist. Name the data folder of the coordinator with --data-dir.`)
    }
    const database = new Sqlite(file, { timeout: BUSY_TIMEOUT })
    try {
      takeLock(database, file)
    } catch (error) {
      database.close()
      throw error
    }
    // IDs above 2^53 would lose digits as numbers.
    database.defaultSafeIntegers()
    return new MoveSource(database, file)
  }

  close(): void {
    this.database.close()
  }

  /** Throws `SchemaError` if no release has made the schema, and `MoveError` if another version has. */
  checkSchema(): void {
    const tables = this.names("select name from sqlite_master where type = 'table' order by name")
    const names = tables.includes('kysely_migration')
      ? this.names('select name from kysely_migration order by name')
      : []
    refuseUnreleasedSchema({ migrations: names, tables }, `The database ${this.file}`)
    const known = Object.keys(migrations)
    const isNewest = names.length === known.length && known.every((name) => names.includes(name))
    if (isNewest) return
    throw new MoveError(
      'The database has the schema of another version. Start the coordinator of this version once, which brings it up to ' +
        'date, stop it, and run the command again.',
    )
  }

  /** Begins a move, or continues it with this name of the target. */
  beginMove(target: string): Move {
    this.database.exec(
      `create table if not exists ${MOVE} (id text not null, target text not null, begun_at integer not null, completed_at integer)`,
    )
    const begun = this.database.prepare<[], StoredMove>(`select * from ${MOVE}`).get()
    if (begun) {
      const isComplete = begun.completed_at !== null
      if (!isComplete) this.database.prepare(`update ${MOVE} set target = ?`).run(target)
      return { id: begun.id, isComplete }
    }
    const id = randomUUID()
    this.database
      .prepare(`insert into ${MOVE} (id, target, begun_at) values (?, ?, ?)`)
      .run(id, target, Date.now())
    return { id, isComplete: false }
  }

  completeMove(): void {
    this.database.prepare(`update ${MOVE} set completed_at = ?`).run(Date.now())
  }

  /** Coordinators may use the database again. */
  cancelMove(): void {
    this.database.exec(`drop table if exists ${MOVE}`)
  }

  /** Names of tables, without those of SQLite, migrations, search indexes, processes that run, and this move. */
  tables(): Set<string> {
    const names = this.names("select name from pragma_table_list where schema = 'main' and type = 'table'")
    return new Set(names.filter((name) => !LEFT_OUT.test(name)))
  }

  private names(query: string): string[] {
    return this.database.prepare<[], string>(query).pluck().all()
  }

  columns(table: string): string[] {
    return this.database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)
  }

  count(table: string): number {
    return Number(
      this.database
        .prepare(`select count(*) from ${quoted(table)}`)
        .pluck()
        .get(),
    )
  }

  /** The largest ID that a row of the table ever had. */
  lastId(table: string): bigint {
    const given = this.database.prepare<[string], bigint>('select seq from sqlite_sequence where name = ?')
    const last = this.database.prepare<[], bigint | null>(`select max(id) from ${quoted(table)}`)
    return max(given.pluck().get(table), last.pluck().get())
  }

  /** Rows after `after`, in the order of SQLite. */
  *rows(table: string, columns: readonly string[], after: bigint): Generator<SourceRow> {
    const statement = this.database
      .prepare<[bigint], [bigint, ...SqliteValue[]]>(
        `select rowid, ${columns.map(quoted).join(', ')} from ${quoted(table)} where rowid > ? order by rowid`,
      )
      .raw()
    for (const [rowid, ...values] of statement.iterate(after)) yield { rowid, values }
  }
}

/**
 * In this mode, SQLite takes a lock that no other connection may share, and keeps it. A coordinator has the file open as
 * long as it runs.
 */
function takeLock(database: Sqlite.Database, file: string): void {
  database.pragma('locking_mode = exclusive')
  try {
    database.exec('begin exclusive; commit')
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    throw new MoveError(
      `Another process has ${file} open. Stop the coordinator and other commands that use it, and run the command again.`,
      { cause: error },
    )
  }
  // Commits here must survive a power failure before the target continues.
  database.pragma('synchronous = FULL')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function max(...values: (bigint | null | undefined)[]): bigint {
  return values.reduce<bigint>((top, value) => (value && value > top ? value : top), 0n)
}
