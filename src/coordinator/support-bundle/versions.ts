import { existsSync } from 'node:fs'
import { availableParallelism, release, totalmem, type } from 'node:os'

import { sql } from 'kysely'

import { runGit } from '../../git/run-git.js'
import { VERSION } from '../../lib/version.js'
import { connectDatabase, type DatabaseSettings } from '../database/connect.js'
import { readSchema } from '../database/recorded-schema.js'
import { API_VERSION } from '../http/version.js'

export async function readVersions() {
  return {
    switchyard: VERSION,
    api: API_VERSION,
    node: process.version,
    git: (await runGit(['--version'])).trim(),
    system: `${type()} ${release()} ${process.arch}`,
    processors: availableParallelism(),
    memory_bytes: totalmem(),
  }
}

/** The version of the database, and the newest migration of its schema. */
export async function readDatabaseVersion(settings: DatabaseSettings) {
  const { dialect } = settings
  if (dialect === 'sqlite' && !existsSync(settings.file))
    return { dialect, version: 'there is no database yet' }
  const database = connectDatabase(settings)
  try {
    const query =
      dialect === 'sqlite'
        ? sql<{ version: string }>`select sqlite_version() as version`
        : sql<{ version: string }>`select version() as version`
    const { rows } = await query.execute(database)
    return {
      dialect,
      version: rows[0]?.version,
      migration: (await readSchema(database, dialect)).migrations.at(-1),
    }
  } finally {
    await database.destroy()
  }
}
