import { type Migration, type MigrationResult, Migrator } from 'kysely'

import { messageOf, SwitchyardError } from '../../lib/errors.js'
import type { Database, DatabaseSettings, DialectName } from './connect.js'
import { migrations } from './migrations/index.js'
import { readSchema, requireReleasedSchema } from './recorded-schema.js'

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
 * schema. Several coordinators may call it at the same time. Throws `SchemaError`, and changes nothing, if no release has
 * made the schema; `MigrationError` with the failed migration and the reason.
 */
export async function migrate(database: Database, settings: DatabaseSettings): Promise<void> {
  await requireReleasedSchema(database, settings)
  const failure = await migrateToLatest(database, settings.dialect)
  if (!failure) return
  const [later] = await laterMigrations(database, settings.dialect)
  throw later === undefined ? migrationError(failure) : newerDatabase(later, failure)
}

/** Migrations that a newer release has recorded. */
async function laterMigrations(database: Database, dialect: DialectName): Promise<string[]> {
  const { migrations: recorded } = await readSchema(database, dialect)
  return recorded.filter((name) => !Object.hasOwn(migrations, name))
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

function migrationError({ migration, error }: Failure): MigrationError {
  const step = migration === undefined ? 'before the first migration' : `in migration ${migration}`
  return new MigrationError(
    `The database schema could not be brought up to date: ${messageOf(error)} (${step})`,
    { cause: error },
  )
}

function forDialect(dialect: DialectName): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [name, { up: (db) => migration.up(db, dialect) }]),
  )
}
