import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely'

import type { Database } from './connect.js'
import { TypedDatabase } from './sqlite.js'
import type { Tables } from './tables/database-tables.js'

/** How long to wait for the writer of a coordinator, in milliseconds. */
const BUSY_TIMEOUT = 5000
/** Pages of the database that are copied before other work of this process. */
const PAGES_AT_ONCE = 2000

/**
 * Copies the database of running coordinators as it is at one moment, in which `whileHeld` runs: no transaction of
 * another process commits then. It must be brief, because the coordinators wait. They continue while the file is copied.
 */
export async function copySqlite<T>(
  file: string,
  copy: string,
  whileHeld: (rows: Database) => Promise<T>,
): Promise<T> {
  const reader = new Sqlite(file, { readonly: true, timeout: BUSY_TIMEOUT })
  try {
    const result = await atMoment(file, reader, whileHeld)
    // The open transaction of the reader is the moment: the copy has neither less nor more.
    await reader.backup(copy, { progress: () => PAGES_AT_ONCE })
    withoutLog(copy)
    return result
  } finally {
    reader.close()
  }
}

async function atMoment<T>(
  file: string,
  reader: Sqlite.Database,
  whileHeld: (rows: Database) => Promise<T>,
): Promise<T> {
  const holder = new Sqlite(file, { timeout: BUSY_TIMEOUT })
  try {
    holder.exec('begin immediate')
    reader.exec('begin')
    // A transaction begins to read with its first statement.
    reader.prepare('select count(*) from sqlite_master').get()
    return await whileHeld(databaseOf(reader))
  } finally {
    holder.close()
  }
}

/** The rows of a copy that nobody changes. */
export async function withSqliteCopy<T>(copy: string, use: (rows: Database) => Promise<T>): Promise<T> {
  const connection = new Sqlite(copy, { readonly: true, fileMustExist: true })
  try {
    return await use(databaseOf(connection))
  } finally {
    connection.close()
  }
}

/** The problems that SQLite finds in a copy; empty if there are none. */
export async function problemsOfCopy(copy: string): Promise<string[]> {
  return withSqliteCopy(copy, async (rows) => {
    const { rows: found } = await rows.executeQuery<{ integrity_check: string }>(
      CompiledQuery.raw('pragma integrity_check'),
    )
    return found.map((row) => row.integrity_check).filter((text) => text !== 'ok')
  })
}

/** Turns off the write-ahead log of the copy, so that readers need no additional file. */
function withoutLog(copy: string): void {
  const connection = new Sqlite(copy)
  try {
    connection.pragma('journal_mode = delete')
  } finally {
    connection.close()
  }
}

function databaseOf(connection: Sqlite.Database): Database {
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: TypedDatabase.of(connection) }) })
}
