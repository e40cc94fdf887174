import { type Migration, type MigrationResult, Migrator, sql } from 'kysely'

import { messageOf, SwitchyardError } from '../../lib/errors.js'
import type { Database, DialectName } from './connect.js'
import { dropEmptyTables } from './drop-empty-tables.js'
import { hasTable } from './has-table.js'
import { migrations } from './migrations/index.js'

export class MigrationError extends SwitchyardError {
  readonly name = 'MigrationError'
  readonly code = 'MIGRATION_FAILED'
}

interface Failure {
  /** Undefined if no migration had started. */
  migration: string | undefined
  error: unknown
}

/**
 * Migrates the schema to the latest version in one transaction, so a killed process leaves the previous
 * schema. Several coordinators may call it at the same time. Throws `MigrationError` with the failed
 * migration and the reason.
 */
export async function migrate(database: Database, dialect: DialectName): Promise<void> {
  let failure = await migrateToLatest(database, dialect)
  const isInterrupted = dialect === 'sqlite' && isPartlyApplied(failure)
  if (isInterrupted && (await dropEmptyTables(database))) failure = await migrateToLatest(database, dialect)
  if (!failure) return
  const [later] = await laterMigrations(database, dialect)
  throw later === undefined ? migrationError(failure, isInterrupted) : newerDatabase(later, failure)
}

/** Migrations that a newer release has recorded. */
async function laterMigrations(database: Database, dialect: DialectName): Promise<string[]> {
  if (!(await hasTable(database, dialect, 'kysely_migration'))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  )
  return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
}

function newerDatabase(later: string, { error }: Failure): MigrationError {
  return new MigrationError(
    `The database was used by a newer release: it has the migration ${later}, which this one does not know. Install the ` +
      'newer release again, or restore the backup of the database from before the upgrade.',
    { cause: error },
  )
}

async function migrateToLatest(database: Database, dialect: DialectName): Promise<Failure | undefined> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(forDialect(dialect)) },
    // The recorded order depends on the system clock, which may have been wrong during an earlier upgrade.
    allowUnorderedMigrations: true,
  })
  const { error, results } = await migrator.migrateToLatest()
  return error === undefined ? undefined : { migration: results?.find(isFailed)?.migrationName, error }
}

function isFailed({ status }: MigrationResult): boolean {
  return status === 'Error'
}

/** SQLite error messages for a statement that was already applied. */
const APPLIED = /already exists|duplicate column name|no such (table|column|index)/

/**
 * Versions up to 0.1.0 used no transaction on SQLite, so some statements of a migration may be applied
 * without a record.
 */
function isPartlyApplied(failure: Failure | undefined): boolean {
  return failure?.migration !== undefined && APPLIED.test(messageOf(failure.error))
}

function migrationError({ migration, error }: Failure, isInterrupted: boolean): MigrationError {
  const step = migration === undefined ? 'before the first migration' : `in migration ${migration}`
  const remedy = isInterrupted
    ? '. An earlier version was stopped in the middle of this migration; restore the backup of the database from before that upgrade'
    : ''
  return new MigrationError(
    `The database schema could not be brought up to date: ${messageOf(error)} (${step})${remedy}`,
    { cause: error },
  )
}

function forDialect(dialect: DialectName): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [name, { up: (db) => migration.up(db, dialect) }]),
  )
}
