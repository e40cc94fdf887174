import { type Migration, Migrator } from 'kysely'

import { SwitchyardError } from '../../lib/errors.js'
import type { Database, DialectName } from './connect.js'
import { migrations } from './migrations/index.js'

export class MigrationError extends SwitchyardError {
  readonly name = 'MigrationError'
  readonly code = 'MIGRATION_FAILED'
}

/**
 * Brings the schema up to date; several coordinators may do so at once. Throws `MigrationError` naming the migration
 * that failed, which is rolled back where the database can.
 */
export async function migrate(database: Database, dialect: DialectName): Promise<void> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve(forDialect(dialect)) },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (!error) return
  const failed =
    results?.find((result) => result.status === 'Error')?.migrationName ?? 'before the first migration'
  throw new MigrationError(`The database schema could not be brought up to date (${failed})`, {
    cause: error,
  })
}

function forDialect(dialect: DialectName): Record<string, Migration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, migration]) => [name, { up: (db) => migration.up(db, dialect) }]),
  )
}
