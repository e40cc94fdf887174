import { sql } from 'kysely'

import type { Database, DatabaseSettings, DialectName } from './connect.js'
import { hasTable } from './has-table.js'
import { type RecordedSchema, refuseUnreleasedSchema } from './released-schema.js'
import { shownDatabase } from './shown-database.js'

/**
 * Throws `SchemaError` if no release has made the schema. Changes nothing. An empty database passes.
 */
export async function requireReleasedSchema(database: Database, settings: DatabaseSettings): Promise<void> {
  const schema = await readSchema(database, settings.dialect)
  refuseUnreleasedSchema(schema, `The database ${shownDatabase(settings)}`)
}

/**
 * Tables are read before migrations: while another coordinator migrates an empty database, it has neither, then both.
 */
export async function readSchema(database: Database, dialect: DialectName): Promise<RecordedSchema> {
  const tables = await sql<{ name: string }>`
    select name from ${dialect === 'sqlite' ? SQLITE_TABLES : POSTGRES_TABLES} order by name`.execute(
    database,
  )
  return { tables: tables.rows.map(({ name }) => name), migrations: await readMigrations(database, dialect) }
}

const SQLITE_TABLES = sql`sqlite_master where type = 'table'`

/** Without those of extensions. */
const POSTGRES_TABLES = sql`(
  select relname as name from pg_class
  where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')) as own`

async function readMigrations(database: Database, dialect: DialectName): Promise<string[]> {
  if (!(await hasTable(database, dialect, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  )
  return rows.map(({ name }) => name)
}
