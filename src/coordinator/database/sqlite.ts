import { closeSync, openSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

import Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'

import { shareNextCall } from '../../lib/share-next-call.js'
import { Checkpoints } from './checkpoints.js'
import type { DirectReads, StoreVersion } from './direct-reads.js'
import { BUSY_TIMEOUT, PatientConnection } from './patient-connection.js'
import { rowBuilder } from './row-builder.js'

export interface SqliteOptions {
  /** Called before each sync of the log of commits; what is committed until then is on disk after it. */
  onSync?: () => void
}

/**
 * SQLite has neither booleans nor JSON. Columns are still declared `boolean` and `json`, and the declared
 * type of each result column decides how its value is read. So rows look the same in both dialects.
 *
 * There are two connections. Transactions use the one of the dialect, one after the other. `reads` wait for no transaction
 * and see the latest commit: while one is open they use the second connection. Otherwise they use the first one, whose
 * pages in memory stay valid when it commits; the second one drops its pages at each commit.
 */
export function sqliteDialect(
  file: string,
  { onSync }: SqliteOptions = {},
): { dialect: SqliteDialect; reads: DirectReads } {
  closeToOthers(file)
  const database = new Sqlite(file)
  useWriteAheadLog(database)
  // A commit returns before it is on disk; `SyncedDriver` waits for that.
  database.pragma('synchronous = NORMAL')
  database.pragma('foreign_keys = ON')
  // Otherwise SQLite writes the data for undoing a statement of many rows to a file in the folder for temporary files.
  database.pragma('temp_store = MEMORY')
  // SQLite would wait in this thread; `PatientConnection` waits instead.
  database.pragma('busy_timeout = 0')
  const statements = new StatementCache(database)
  const reads = new DirectReader(statements, new StatementCache(new Sqlite(file, { readonly: true })))
  const log = new CommitLog(database, onSync)
  const writer = new TypedDatabase(statements, () => reads.close())
  return { dialect: new TransactionalDialect(writer, log), reads }
}

/**
 * When two processes switch the mode of a new file at the same time, one gets SQLITE_BUSY at once: SQLite does not wait
 * in this case, although it does in others.
 */
function useWriteAheadLog(database: Sqlite.Database): void {
  const end = Date.now() + BUSY_TIMEOUT
  for (;;) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      const isBusy = error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
      if (!isBusy || Date.now() > end) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10) // the other process has no event for this one
    }
  }
}

class TransactionalDialect extends SqliteDialect {
  constructor(
    private readonly database: TypedDatabase,
    private readonly log: CommitLog,
  ) {
    super({ database })
  }

  override createDriver(): Driver {
    return new SyncedDriver(this.database, this.log)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/**
 * SQLite runs schema changes in transactions. The adapter of the library says otherwise, and its migrator
 * would use none.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * A transaction takes the write lock at its start, where it can wait for another process. If it first read
 * and then needed the lock, it would fail as soon as another process had written in between.
 */
class ImmediateDriver extends SqliteDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const asked = performance.now()
    // There is only one connection, so acquiring it again returns the same one.
    const leaveToOthers = async (wait: () => Promise<void>): Promise<void> => {
      await super.releaseConnection()
      try {
        await wait()
      } finally {
        await super.acquireConnection()
      }
    }
    return new PatientConnection(await super.acquireConnection(), asked, leaveToOthers)
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/**
 * A statement or transaction that wrote returns when its commit is on disk, so a status that was sent to a runner survives
 * a power failure. The connection is released before that. One sync serves all commits before it.
 */
class SyncedDriver extends ImmediateDriver {
  constructor(
    private readonly database: TypedDatabase,
    private readonly log: CommitLog,
  ) {
    super({ database })
  }

  override async releaseConnection(): Promise<void> {
    const wrote = this.database.takeWrites()
    await super.releaseConnection()
    if (wrote) await this.log.sync()
  }

  override async destroy(): Promise<void> {
    await this.log.close()
    await super.destroy()
  }
}

/** The file that SQLite appends commits to, until it moves them into the database. */
class CommitLog {
  private file: FileHandle | undefined
  private readonly checkpoints: Checkpoints
  private readonly synchronous: Sqlite.Statement<[], number>

  constructor(
    private readonly database: Sqlite.Database,
    private readonly onSync: (() => void) | undefined,
  ) {
    this.checkpoints = new Checkpoints(database)
    this.synchronous = database.prepare<[], number>('pragma synchronous').pluck()
  }

  /** Resolves when everything that was committed before the call is on disk. */
  readonly sync = shareNextCall(async () => {
    await this.write()
    this.checkpoints.afterCommit()
  })

  private async write(): Promise<void> {
    if (this.synchronous.get() === 0) return
    // SQLite keeps this file as long as a connection is open. Closing it releases no lock: those are on other files.
    this.file ??= await open(`${this.database.name}-wal`, 'r+')
    this.onSync?.()
    await this.file.datasync()
  }

  async close(): Promise<void> {
    await this.checkpoints.close()
    await this.file?.close()
  }
}

/** Creates the database file for its owner only; SQLite gives its other files the same mode. */
function closeToOthers(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}

/** Maximum number of cached prepared statements; the coordinator uses a few hundred different texts. */
const MAX_STATEMENTS = 500

interface CachedStatement {
  statement: SqliteStatement
  /** Whether it may write. */
  writes: boolean
}

/** The prepared statements of a connection, which read rows with the declared types of their columns. */
class StatementCache {
  private readonly statements = new Map<string, CachedStatement>()

  constructor(readonly connection: Sqlite.Database) {}

  get(sql: string): CachedStatement {
    return this.statements.get(sql) ?? this.add(sql)
  }

  close(): void {
    this.statements.clear()
    this.connection.close()
  }

  private add(sql: string): CachedStatement {
    const statement = this.connection.prepare(sql)
    // Beginning a transaction takes a lock, so it is not `readonly`.
    const writes = !statement.readonly && !sql.startsWith('begin')
    const cached = { statement: typedStatement(statement), writes }
    if (this.statements.size >= MAX_STATEMENTS) this.statements.clear()
    this.statements.set(sql, cached)
    return cached
  }
}

/** A connection for Kysely, with rows of the declared types of their columns. */
export class TypedDatabase implements SqliteDatabase {
  private hasWritten = false

  constructor(
    private readonly statements: StatementCache,
    private readonly onClose?: () => void,
  ) {}

  static of(connection: Sqlite.Database): TypedDatabase {
    return new TypedDatabase(new StatementCache(connection))
  }

  /** Whether a statement wrote since the last call. */
  takeWrites(): boolean {
    const hasWritten = this.hasWritten
    this.hasWritten = false
    return hasWritten
  }

  /** Kysely calls this for each run of a statement. */
  prepare(sql: string): SqliteStatement {
    const { statement, writes } = this.statements.get(sql)
    this.hasWritten ||= writes
    return statement
  }

  close(): void {
    this.onClose?.()
    this.statements.close()
  }
}

class DirectReader implements DirectReads {
  readonly isRemote = false
  private readonly dataVersion: Sqlite.Statement<[], StoreVersion>

  constructor(
    private readonly ofWriter: StatementCache,
    private readonly ofReader: StatementCache,
  ) {
    // The value changes with the commits of all other connections
    // (https://sqlite.org/pragma.html#pragma_data_version), and this connection never writes.
    this.dataVersion = ofReader.connection.prepare<[], StoreVersion>('pragma data_version').pluck()
  }

  /** Throws `TypeError` for a statement that may write. */
  read<Row>(text: string, parameters: readonly unknown[]): Row[] {
    const statements = this.ofWriter.connection.inTransaction ? this.ofReader : this.ofWriter
    const { statement, writes } = statements.get(text)
    if (writes) throw new TypeError(`A prepared read must not write: ${text}`)
    return statement.all(parameters) as Row[] // the row type is that of the query
  }

  version(): StoreVersion {
    const version = this.dataVersion.get()
    if (version === undefined) throw new TypeError('SQLite returned no data_version')
    return version
  }

  close(): void {
    this.ofReader.close()
  }
}

function typedStatement(statement: Sqlite.Statement): SqliteStatement {
  if (!statement.reader) {
    return { ...NO_ROWS, run: (parameters) => statement.run(parameters.map(toParameter)) }
  }
  // Reads rows as lists of values; building objects from them here is faster than in the library.
  const rows = (statement as Sqlite.Statement<unknown[], unknown[]>).raw()
  const readRow = rowBuilder(rows.columns().map(({ name, type }) => ({ name, read: readerOf(type) })))
  return {
    reader: true,
    all: (parameters) => rows.all(...parameters.map(toParameter)).map(readRow),
    run: (parameters) => rows.run(...parameters.map(toParameter)),
    *iterate(parameters) {
      for (const row of rows.iterate(...parameters.map(toParameter))) yield readRow(row)
    },
  }
}

const NO_ROWS = { reader: false, all: () => [], iterate: () => [].values() }

function toParameter(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

type ReadValue = (value: unknown) => unknown

function readerOf(type: string | null): ReadValue | undefined {
  switch (type) {
    case 'boolean':
      return readBoolean
    case 'json':
      return readJson
    default:
      return undefined
  }
}

function readBoolean(value: unknown): unknown {
  return value === 1
}

function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}
