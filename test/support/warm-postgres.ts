import { randomBytes } from 'node:crypto'

import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  sql,
} from 'kysely'

import { connectDatabase, type Database } from '../../src/coordinator/database/connect.js'
import { type DirectReads, useDirectReads } from '../../src/coordinator/database/direct-reads.js'
import { PostgresCompiler } from '../../src/coordinator/database/postgres-compiler.js'
import { postgresDialect } from '../../src/coordinator/database/postgres.js'
import type { Tables } from '../../src/coordinator/database/tables/database-tables.js'
import { createDatabase, databaseUrl, dropDatabase } from './postgres-databases.js'
import type { PostgresStore } from './postgres-on-demand.js'

/** A migrated, empty PostgreSQL database that one test uses at a time. */
export interface LentDatabase {
  database: Database
  url: string
  giveBack: () => Promise<void>
}

/**
 * A database that tests of this process use one after another. To create one for each test, and to connect to it, takes
 * ten times as long as most tests: a new connection has to read the catalog of 150 tables.
 */
interface WarmDatabase {
  name: string
  url: string
  /** Owns the connections; used to empty the database. */
  keeper: Database
  driver: Driver
  reads: DirectReads
  /** The number of its columns after the migrations. */
  columns: number
}

const free: WarmDatabase[] = []

export async function lendDatabase(store: PostgresStore): Promise<LentDatabase> {
  const warm = free.pop() ?? (await makeDatabase(store))
  const driver = new LentDriver(warm.driver)
  const database = new Kysely<Tables>({ dialect: dialectOf(driver) })
  useDirectReads(database, driver.lend(warm.reads))
  return {
    database,
    url: warm.url,
    giveBack: async () => {
      await database.destroy()
      await driver.idle()
      if (await emptied(warm)) free.push(warm)
      else await discard(store, warm)
    },
  }
}

async function makeDatabase(store: PostgresStore): Promise<WarmDatabase> {
  const name = `${store.prefix}${randomBytes(8).toString('hex')}`
  await createDatabase(store.socketUrl, name, store.template)
  const url = databaseUrl(store.socketUrl, name)
  const keeper = connectDatabase({ dialect: 'postgres', url })
  await sql.raw(KEEP_FIRST_ROWS).execute(keeper)
  const { dialect, reads } = postgresDialect(url)
  const driver = dialect.createDriver()
  await driver.init()
  return { name, url, keeper, driver, reads, columns: await countColumns(keeper) }
}

async function discard(store: PostgresStore, { name, keeper, driver }: WarmDatabase): Promise<void> {
  await dropDatabase(store.socketUrl, name)
  await Promise.all([keeper.destroy(), driver.destroy()])
}

/** Copies the rows that migrations have inserted, which `EMPTY` restores. */
const KEEP_FIRST_ROWS = `
do $$
declare name text; filled boolean;
begin
  create schema first_rows;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('select exists (select 1 from public.%I)', name) into filled;
    if filled then execute format('create table first_rows.%I as table public.%I', name, name); end if;
  end loop;
end $$`

/**
 * Deletes rows where there are any, which is faster than to truncate: that makes new files for each table and index. With
 * the role of a replica no foreign key is checked, so the order of tables does not matter.
 */
const EMPTY = `
do $$
declare name text;
begin
  set local session_replication_role = replica;
  for name in
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0
  loop
    execute format('delete from public.%I', name);
  end loop;
  for name in select tablename from pg_tables where schemaname = 'first_rows' loop
    execute format('insert into public.%I overriding system value table first_rows.%I', name, name);
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_sequences where last_value is not null;
end $$`

/**
 * False when the database cannot be used again: another connection still works on it, as of a process that a test has
 * killed, or the test has changed its tables.
 */
async function emptied({ keeper, columns }: WarmDatabase): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(keeper)
  if (rows.length > 0 || (await countColumns(keeper)) !== columns) return false
  await sql.raw(EMPTY).execute(keeper)
  return true
}

async function countColumns(database: Database): Promise<number> {
  const { rows } = await sql<{ columns: number }>`
    select count(*)::int as columns from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`.execute(database)
  return rows[0]!.columns
}

function dialectOf(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresCompiler(),
  }
}

/** The connections of a warm database for one test. Queries after the end of the test fail. */
class LentDriver implements Driver {
  private ended = false
  private used = 0
  private onIdle: (() => void) | undefined

  constructor(private readonly driver: Driver) {}

  async init(): Promise<void> {
    // The warm database has done so.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.begin()
    try {
      return await this.driver.acquireConnection()
    } catch (error) {
      this.end()
      throw error
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.driver.releaseConnection(connection)
    this.end()
  }

  beginTransaction: Driver['beginTransaction'] = (connection, settings) =>
    this.driver.beginTransaction(connection, settings)

  commitTransaction: Driver['commitTransaction'] = (connection) => this.driver.commitTransaction(connection)

  rollbackTransaction: Driver['rollbackTransaction'] = (connection) =>
    this.driver.rollbackTransaction(connection)

  savepoint: Driver['savepoint'] = (...parameters) => this.driver.savepoint!(...parameters)

  rollbackToSavepoint: Driver['rollbackToSavepoint'] = (...parameters) =>
    this.driver.rollbackToSavepoint!(...parameters)

  releaseSavepoint: Driver['releaseSavepoint'] = (...parameters) =>
    this.driver.releaseSavepoint!(...parameters)

  async destroy(): Promise<void> {
    this.ended = true
  }

  /** Resolves when nothing that this test began is under way. */
  idle(): Promise<void> {
    if (this.used === 0) return Promise.resolve()
    return new Promise((resolve) => (this.onIdle = resolve))
  }

  lend(reads: DirectReads): DirectReads {
    return {
      isRemote: reads.isRemote,
      read: (text, parameters) => this.during(() => reads.read(text, parameters)),
      version: () => this.during(() => reads.version()),
    }
  }

  private async during<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    this.begin()
    try {
      return await work()
    } finally {
      this.end()
    }
  }

  private begin(): void {
    if (this.ended) throw new Error('The test that this database was lent to is over')
    this.used++
  }

  private end(): void {
    this.used--
    if (this.used === 0) this.onIdle?.()
  }
}
