import { SwitchyardError } from '../../lib/errors.js'

/** The first migration, which has the schema of the first release. A database without it is of no release. */
export const BASELINE = '0001-baseline'

/** No release has made the schema of a database. */
export class SchemaError extends SwitchyardError {
  readonly name = 'SchemaError'
  readonly code = 'UNRELEASED_SCHEMA'
}

export interface RecordedSchema {
  /** Names, in order. */
  migrations: readonly string[]
  tables: readonly string[]
}

/** Tables of SQLite, of the migrator, and of a move to this database. */
const OTHER = /^(sqlite_|kysely_|database_move)/

/**
 * Throws `SchemaError` if no release has made the schema. Pure.
 * @param what the database, as the subject of a sentence
 */
export function refuseUnreleasedSchema({ migrations, tables }: RecordedSchema, what: string): void {
  if (migrations.includes(BASELINE)) return
  const last = migrations.at(-1)
  if (last !== undefined) {
    throw new SchemaError(
      `${what} was made by an unreleased commit of Switchyard (its last migration is ${last}), which no release can ` +
        'upgrade: export the projects with that commit and import them into a new installation, or start with an ' +
        'empty data folder and database.',
    )
  }
  const table = tables.find((name) => !OTHER.test(name))
  if (table === undefined) return
  throw new SchemaError(
    `${what} has tables that no release of Switchyard has recorded, such as ${table}: another program or an unreleased ` +
      'commit has made them, so name an empty database.',
  )
}
