import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { vi } from 'vitest'

import type { Database } from '../../../src/coordinator/database/connect.js'

type Before = (statement: number, sql: string) => void

/**
 * Calls `before` ahead of each statement that this process runs on SQLite during `work`, counted from 1. Returns how many
 * there were.
 */
export async function withSqliteStatements(before: Before, work: () => Promise<unknown>): Promise<number> {
  const memory = new Sqlite(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('select 1')) as Sqlite.Statement
  memory.close()
  let count = 0
  const spies = (['run', 'all'] as const).map((method) => {
    const original = Reflect.get(prototype, method)
    return vi.spyOn(prototype, method).mockImplementation(function (this: Sqlite.Statement, ...parameters) {
      before(++count, this.source)
      return Reflect.apply(original, this, parameters) as never // whatever the driver returns
    })
  })
  try {
    await work()
    return count
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/**
 * Cuts every connection to PostgreSQL ahead of a statement of `work` and refuses all later ones, as the end of the process
 * would. Returns how many statements there were.
 */
export async function cutAtPostgresStatement(at: number, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const original = Reflect.get(pg.Client.prototype, 'query')
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...parameters: unknown[]
  ) {
    if (++count >= at) (this as unknown as { connection: pg.Connection }).connection.stream.destroy()
    return Reflect.apply(original, this, parameters) as never // whatever the driver returns
  })
  try {
    await work()
    return count
  } finally {
    spy.mockRestore()
  }
}

/** Statements whose effects outlive the process. Only between two of them does the end of the process make a difference. */
const WRITE = /^\s*(insert|update|delete|commit)\b/i

/**
 * Refuses the write with this number of `work`, counted from 1, and all statements after it except the rollback, as the
 * end of the process would. Returns how many writes there were.
 */
export async function cutAtSqliteWrite(at: number, work: () => Promise<unknown>): Promise<number> {
  let writes = 0
  await withSqliteStatements((_, statement) => {
    if (WRITE.test(statement)) writes += 1
    if (writes >= at && statement !== 'rollback') throw new Error('killed')
  }, work)
  return writes
}

/**
 * Runs `work` and returns the number of rows that the largest write of this process on SQLite has changed, with those that
 * foreign keys and triggers change.
 */
export async function mostRowsPerSqliteWrite(work: () => Promise<unknown>): Promise<number> {
  const memory = new Sqlite(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('select 1')) as Sqlite.Statement
  memory.close()
  let most = 0
  const original = Reflect.get(prototype, 'run')
  const spy = vi.spyOn(prototype, 'run').mockImplementation(function (this: Sqlite.Statement, ...parameters) {
    const changes = this.database.prepare<[], number>('select total_changes()').pluck()
    const before = changes.get() ?? 0
    const result: unknown = Reflect.apply(original, this, parameters)
    most = Math.max(most, (changes.get() ?? 0) - before)
    return result as never // whatever the driver returns
  })
  try {
    await work()
    return most
  } finally {
    spy.mockRestore()
  }
}

/** Like `mostRowsPerSqliteWrite`, for the rows that the largest transaction on PostgreSQL has deleted. */
export async function mostRowsPerPostgresTransaction(
  database: Database,
  work: () => Promise<unknown>,
): Promise<number> {
  await sql`create table deleted_row (tx bigint)`.execute(database)
  await sql`create function record_deleted_row() returns trigger language plpgsql as
    'begin insert into deleted_row values (txid_current()); return null; end'`.execute(database)
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'deleted_row'`.execute(
    database,
  )
  for (const { name } of tables) {
    await sql`create trigger record_deleted_row after delete on ${sql.table(name)}
      for each row execute function record_deleted_row()`.execute(database)
  }
  await work()
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(number), 0)::int as most
    from (select count(*) as number from deleted_row group by tx) as counted`.execute(database)
  return rows[0]?.most ?? 0
}
