import { cpSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { connectDatabase, type Database } from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { up as foundation } from '../../../src/coordinator/database/migrations/0001-foundation.js'
import { createEmptyPostgres } from '../../support/databases.js'
import { tempDir } from '../../support/temp-dir.js'
import { IS_NIGHT, pointsIn } from '../support/kill-points.js'
import { contentOf, FIRST_VERSION, makeOldStore, VERSIONS } from '../support/old-schema.js'
import { cutAtPostgresStatement, withSqliteStatements } from '../support/statement-hooks.js'

/** An empty store, and each version that can be upgraded from; all of them take minutes and run at night. */
const STARTS = ['nothing', ...(IS_NIGHT ? VERSIONS : [FIRST_VERSION])]

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

test('a SQLite store whose first migration was applied in part without a record, and that has no row, is created again', async () => {
  const folder = await tempDir()
  await inSqlite(folder, (database) => applyInPart(database))
  await upgradeSqlite(folder)
  const fresh = await tempDir()
  await upgradeSqlite(fresh)
  expect(await sqliteContent(folder)).toEqual(await sqliteContent(fresh))
})

test('a SQLite store with rows whose migration was applied in part is left as it is, and the error names the remedy', async () => {
  const folder = await tempDir()
  await inSqlite(folder, async (database) => {
    await applyInPart(database)
    await database.insertInto('instance_setting').values({ key: 'a', value: 'b' }).execute()
  })
  await expect(upgradeSqlite(folder)).rejects.toThrow(
    'The database schema could not be brought up to date: table "instance_setting" already exists ' +
      '(in migration 0001-foundation). An earlier version was stopped in the middle of this migration; ' +
      'restore the backup of the database from before that upgrade',
  )
  const rows = await inSqlite(folder, (database) =>
    database.selectFrom('instance_setting').selectAll().execute(),
  )
  expect(rows).toEqual([{ key: 'a', value: 'b' }])
})

test('several coordinators bring an empty PostgreSQL database up to date at the same time', async () => {
  const url = await createEmptyPostgres()
  await Promise.all([1, 2, 3].map(() => upgradePostgres(url)))
  const content = await inPostgres(url, contentOf)
  expect(content['recorded']).toHaveLength(VERSIONS.length)
})

async function applyInPart(database: Database): Promise<void> {
  let left = 40
  const statements = withSqliteStatements(
    () => {
      if (left-- === 0) throw new Error('killed')
    },
    () => foundation(database as never, 'sqlite'),
  )
  await expect(statements).rejects.toThrow('killed')
}

async function oldSqlite(version: string): Promise<string> {
  const folder = await tempDir()
  if (version !== 'nothing') {
    await inSqlite(folder, (database) => makeOldStore(database, 'sqlite', version))
  }
  return folder
}

async function oldPostgres(version: string): Promise<string> {
  const url = await createEmptyPostgres()
  if (version !== 'nothing') {
    await inPostgres(url, (database) => makeOldStore(database, 'postgres', version))
  }
  return url
}

/** The state on disk: uncommitted writes of a transaction are absent from these files, or invalid. */
function copyOf(folder: string, copy: string): string {
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('-shm') })
  return copy
}

function upgradeSqlite(folder: string): Promise<void> {
  return inSqlite(folder, (database) => migrate(database, 'sqlite'))
}

function upgradePostgres(url: string): Promise<void> {
  return inPostgres(url, (database) => migrate(database, 'postgres'))
}

function sqliteContent(folder: string): Promise<Record<string, unknown>> {
  return inSqlite(folder, contentOf)
}

function inSqlite<T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> {
  return withDatabase(connectDatabase({ dialect: 'sqlite', file: join(folder, 'switchyard.db') }), work)
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
