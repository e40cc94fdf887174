import { join } from 'node:path'

import { Migrator, sql } from 'kysely'
import { describe, expect, test } from 'vitest'

import {
  connectDatabase,
  type Database,
  type DatabaseSettings,
  type DialectName,
} from '../../../src/coordinator/database/connect.js'
import { migrations } from '../../../src/coordinator/database/migrations/index.js'
import { createEmptyPostgres } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { createReleaseSchema, RELEASES } from '../support/release-schemas.js'

describe.each<DialectName>(IS_NIGHTLY ? ['sqlite', 'postgres'] : ['sqlite'])('on %s', (dialect) => {
  async function openEmpty(): Promise<{ database: Database; settings: DatabaseSettings }> {
    const settings: DatabaseSettings =
      dialect === 'sqlite'
        ? { dialect, file: join(await tempDir(), 'switchyard.db') }
        : { dialect, url: await createEmptyPostgres() }
    const database = connectDatabase(settings)
    onFinished(() => database.destroy())
    return { database, settings }
  }

  test.each(RELEASES)('the migrations of %s create the schema that was released', async (version) => {
    const released = await openEmpty()
    await createReleaseSchema(released.settings, version)
    const { database } = await openEmpty()
    await migrateTo(database, dialect, await recordedIn(released.database))
    // After a change of the baseline before its release: node scripts/release/save-schema.mjs 1.0.0
    expect(await definitionsIn(database, dialect)).toEqual(await definitionsIn(released.database, dialect))
  })
})

async function recordedIn(database: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  )
  return rows.map(({ name }) => name)
}

async function migrateTo(database: Database, dialect: DialectName, names: readonly string[]): Promise<void> {
  const chosen = names.map(
    (name) => [name, { up: (db: never) => migrations[name]!.up(db, dialect) }] as const,
  )
  const provider = { getMigrations: () => Promise.resolve(Object.fromEntries(chosen)) }
  const { error } = await new Migrator({ db: database, provider }).migrateToLatest()
  expect(error).toBeUndefined()
}

/** Tables, columns, indexes, constraints and triggers, as the database defines them. */
async function definitionsIn(database: Database, dialect: DialectName): Promise<unknown[]> {
  const { rows } = await (dialect === 'sqlite' ? SQLITE : POSTGRES).execute(database)
  return rows
}

const SQLITE = sql`select type, name, tbl_name, sql from sqlite_master order by type, name`

const POSTGRES = sql`
  select table_name || '.' || column_name as name,
    concat_ws(' ', ordinal_position, data_type, is_nullable, is_identity, column_default) as definition
  from information_schema.columns where table_schema = 'public'
  union all select indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace
  order by name, definition`
