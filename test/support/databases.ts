import { randomBytes } from 'node:crypto'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { describe, inject, test } from 'vitest'

import {
  connectDatabase,
  type Database,
  type DatabaseSettings,
  type DialectName,
} from '../../src/coordinator/database/connect.js'
import { onFinished } from './lifetime.js'
import { IS_NIGHTLY, testAtNight } from './nightly.js'
import { createDatabase, databaseUrl, dropDatabase } from './postgres-databases.js'
import type { PostgresStore } from './postgres-on-demand.js'
import { makeTempDir } from './temp-dir.js'
import { lendDatabase } from './warm-postgres.js'

export interface TestDatabase {
  database: Database
  dialect: DialectName
  /** Opens the same store again, like another coordinator process. */
  settings: DatabaseSettings
}

/** Creates a migrated, empty store for the running test, and destroys it afterwards. */
export type OpenDatabase = () => Promise<TestDatabase>

/**
 * Defines a suite of store tests on SQLite and, in the nightly run, on PostgreSQL as well. For queries that are the same
 * in both dialects.
 */
export function describeOnDatabase(name: string, define: (open: OpenDatabase) => void): void {
  describe(`${name} (SQLite)`, () => define(openSqlite))
  describe.runIf(IS_NIGHTLY)(`${name} (PostgreSQL)`, () => define(openPostgres))
}

/**
 * Defines a suite of store tests twice in every run: on SQLite and on PostgreSQL. For code that has a branch for each
 * dialect, takes locks, or depends on how a database sorts and compares. Tests of the suite that need only one database
 * use `testOnOne`: PostgreSQL repeats them in the nightly run.
 */
export function describeOnEachDatabase(
  name: string,
  define: (open: OpenDatabase, testOnOne: typeof testAtNight) => void,
): void {
  describe(`${name} (SQLite)`, () => define(openSqlite, test))
  describe(`${name} (PostgreSQL)`, () => define(openPostgres, testAtNight))
}

/** A store for tests that do not depend on the dialect. */
export async function openSqlite(): Promise<TestDatabase> {
  const directory = await makeTempDir()
  const settings = { dialect: 'sqlite', file: join(directory.path, 'switchyard.db') } as const
  await copyFile(inject('sqliteTemplate'), settings.file)
  const database = connectDatabase(settings)
  // No test cuts the power. To wait for the disk at each commit takes a fifth of the time of many tests.
  await sql`pragma synchronous = off`.execute(database)
  onFinished(async () => {
    await database.destroy()
    await directory.remove()
  })
  return { database, dialect: 'sqlite', settings }
}

/**
 * Gives a coordinator that is to start in `dataDir` an empty store that is migrated already, as after its first start:
 * to apply all migrations takes most of that.
 */
export async function copyMigratedStore(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await copyFile(inject('sqliteTemplate'), join(dataDir, 'switchyard.db'))
}

export async function openPostgres(): Promise<TestDatabase> {
  const { database, url, giveBack } = await lendDatabase(await postgresStore())
  onFinished(giveBack)
  return { database, dialect: 'postgres', settings: { dialect: 'postgres', url } }
}

/** Creates a PostgreSQL database without any table, which is dropped when the test has finished. Returns its address. */
export async function createEmptyPostgres(): Promise<string> {
  const store = await postgresStore()
  const name = `${store.prefix}${randomBytes(8).toString('hex')}`
  await createDatabase(store.url, name)
  onFinished(() => dropDatabase(store.url, name))
  return databaseUrl(store.url, name)
}

async function postgresStore(): Promise<PostgresStore> {
  const response = await fetch(`http://127.0.0.1:${inject('postgresOnDemand')}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as PostgresStore
}
