import { join } from 'node:path'

import { connectDatabase } from '../../src/coordinator/database/connect.js'
import { migrate } from '../../src/coordinator/database/migrate.js'
import { makeTempDir } from './temp-dir.js'

/** A migrated empty store that tests copy, which is faster than to create its tables. */
export async function makeSqliteTemplate(): Promise<{ file: string; remove: () => Promise<void> }> {
  const directory = await makeTempDir()
  const file = join(directory.path, 'template.db')
  const settings = { dialect: 'sqlite', file } as const
  const database = connectDatabase(settings)
  try {
    await migrate(database, settings)
  } finally {
    await database.destroy()
  }
  return { file, remove: () => directory.remove() }
}
