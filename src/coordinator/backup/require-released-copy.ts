import type { DialectName } from '../database/connect.js'
import { readSchemaOfPostgresCopy } from '../database/postgres-copy.js'
import { readSchema } from '../database/recorded-schema.js'
import { refuseUnreleasedSchema } from '../database/released-schema.js'
import { withSqliteCopy } from '../database/sqlite-copy.js'

/**
 * Throws `SchemaError` if no release has made the schema of a copied database.
 * @param copy its file
 * @param name of the backup
 */
export async function requireReleasedCopy(copy: string, dialect: DialectName, name: string): Promise<void> {
  const schema =
    dialect === 'sqlite'
      ? await withSqliteCopy(copy, (rows) => readSchema(rows, dialect))
      : await readSchemaOfPostgresCopy(copy)
  refuseUnreleasedSchema(schema, `The database of the backup ${name}`)
}
