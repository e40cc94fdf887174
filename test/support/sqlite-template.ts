import { join } from 'node:path'

import { connectDatabase } from '../../src/coordinator/database/connect.js'
import { migrate } from '../../src/coordinator/database/migrate.js'
import { makeTempDir } from './temp-dir.js'

/** A migrated empty store that tests copy, because each statement of a migration is flushed to disk. */
export async function makeSqliteTemplate(): Promise<{ file: string; remove: () => Promise<void> }> {
  const directory = await makeTempDir()
  const file = join(directory.path, 'template.db')
  const database = connectDatabase({ dialect: 'sqlite', file })
  try {
    await migrate(database, 'sqlite')
  } finally {
    await database.destroy()
  }
  return { file, remove: () => directory.remove() }
}
