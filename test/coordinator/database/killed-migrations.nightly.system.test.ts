import { cpSync } from 'node:fs'
import { join } from 'node:path'

import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import { connectDatabase, type Database } from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { migrations } from '../../../src/coordinator/database/migrations/index.js'
import { createEmptyPostgres } from '../../support/databases.js'
import { tempDir } from '../../support/temp-dir.js'
import { addMigration } from '../support/added-migration.js'
import { contentOf } from '../support/database-content.js'
import { IS_NIGHT, pointsIn } from '../support/kill-points.js'
import { latestRelease, RELEASES } from '../support/release-schemas.js'
import { makeReleaseStore } from '../support/release-store.js'
import { cutAtPostgresStatement, withSqliteStatements } from '../support/statement-hooks.js'

/** An empty store, and the releases that can be upgraded from; all of them take minutes and run at night. */
const STARTS = ['nothing', ...(IS_NIGHT ? RELEASES : [latestRelease()])]

/** So that an upgrade from the latest release has something to do, even where nothing has changed since. */
beforeEach(() =>
  addMigration('9999-next', async (db) => {
    await sql`create table next (id bigint)`.execute(db)
    await sql`insert into next select id from "user"`.execute(db)
    await sql`alter table project add column next text`.execute(db)
  }),
)

describe.each(STARTS)('an upgrade from %s', (version) => {
  test('that is killed at any statement on SQLite is completed by the next start', async () => {
    const before = await oldSqlite(version)
    const straight = copyOf(before, await tempDir())
    const statements = await withSqliteStatements(
      () => undefined,
      () => upgradeSqlite(straight),
    )
    const points = pointsIn(statements, { everyAtNight: version === 'nothing' })
    const copies = new Map<number, string>()
    for (const point of points) copies.set(point, await tempDir())
    await withSqliteStatements(
      (statement) => {
        const copy = copies.get(statement)
        if (copy !== undefined) copyOf(before, copy)
      },
      () => upgradeSqlite(before),
    )
    const wanted = await sqliteContent(straight)
    for (const [point, copy] of copies) {
      await upgradeSqlite(copy)
      expect(await sqliteContent(copy), `killed at statement ${point} of ${statements}`).toEqual(wanted)
    }
  })
})

const POSTGRES_STARTS = IS_NIGHT ? STARTS : []

describe.each(POSTGRES_STARTS)('an upgrade from %s', (version) => {
  test('that is killed at any statement on PostgreSQL is completed by the next start', async () => {
    const straight = await oldPostgres(version)
    const statements = await cutAtPostgresStatement(Infinity, () => upgradePostgres(straight))
    const wanted = await inPostgres(straight, contentOf)
    for (const point of pointsIn(statements)) {
      const url = await oldPostgres(version)
      await cutAtPostgresStatement(point, async () => {
        await expect(upgradePostgres(url)).rejects.toThrow()
      })
      await upgradePostgres(url)
      expect(await inPostgres(url, contentOf), `killed at statement ${point} of ${statements}`).toEqual(
        wanted,
      )
    }
  })
})

test('several coordinators bring an empty PostgreSQL database up to date at the same time', async () => {
  const url = await createEmptyPostgres()
  await Promise.all([1, 2, 3].map(() => upgradePostgres(url)))
  const content = await inPostgres(url, contentOf)
  expect(content['recorded']).toHaveLength(Object.keys(migrations).length)
})

async function oldSqlite(version: string): Promise<string> {
  const folder = await tempDir()
  if (version !== 'nothing') {
    const settings = { dialect: 'sqlite', file: fileIn(folder) } as const
    await inSqlite(folder, (database) => makeReleaseStore(database, settings, version))
  }
  return folder
}

async function oldPostgres(version: string): Promise<string> {
  const url = await createEmptyPostgres()
  if (version !== 'nothing') {
    const settings = { dialect: 'postgres', url } as const
    await inPostgres(url, (database) => makeReleaseStore(database, settings, version))
  }
  return url
}

/** The state on disk: uncommitted writes of a transaction are absent from these files, or invalid. */
function copyOf(folder: string, copy: string): string {
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('-shm') })
  return copy
}

function upgradeSqlite(folder: string): Promise<void> {
  return inSqlite(folder, (database) => migrate(database, { dialect: 'sqlite', file: fileIn(folder) }))
}

function upgradePostgres(url: string): Promise<void> {
  return inPostgres(url, (database) => migrate(database, { dialect: 'postgres', url }))
}

function sqliteContent(folder: string): Promise<Record<string, unknown>> {
  return inSqlite(folder, contentOf)
}

function fileIn(folder: string): string {
  return join(folder, 'switchyard.db')
}

function inSqlite<T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(connectDatabase({ dialect: 'sqlite', file: fileIn(folder) }), work)
}

function inPostgres<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(connectDatabase({ dialect: 'postgres', url }), work)
}

async function withDatabase<T>(database: Database, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    return await work(database)
  } finally {
    await database.destroy()
  }
}
