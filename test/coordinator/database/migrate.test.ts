import { join } from 'node:path'

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import {
  connectDatabase,
  type Database,
  type DatabaseSettings,
} from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { migrations } from '../../../src/coordinator/database/migrations/index.js'
import { describeOnEachDatabase, type TestDatabase } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { addMigration } from '../support/added-migration.js'
import { contentOf } from '../support/database-content.js'

describeOnEachDatabase('migrate', (open, testOnOne) => {
  let store: TestDatabase
  beforeEach(async () => {
    store = await open()
  })

  /** Migrates a database that cannot be used, and returns the message; its content must stay as it is. */
  async function refusal(settings = store.settings): Promise<string> {
    const before = await contentOf(store.database)
    const error: unknown = await migrate(store.database, settings).catch((reason: unknown) => reason)
    expect(await contentOf(store.database)).toEqual(before)
    return error instanceof Error ? error.message : ''
  }

  testOnOne('a store that is up to date is left as it is', async () => {
    await store.database.insertInto('instance_setting').values({ key: 'a', value: 'b' }).execute()
    await migrate(store.database, store.settings)
    const rows = await store.database.selectFrom('instance_setting').selectAll().execute()
    expect(rows).toEqual([{ key: 'a', value: 'b' }])
  })

  test('a store that a newer release has used is named so, with the remedy', async () => {
    await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(store.database)
    expect(await refusal()).toContain(
      'The database was used by a newer release: it has the migration 9999-later, which this one does not know. Install',
    )
  })

  testOnOne(
    'a store of an unreleased commit is refused without a change, with its place and the remedy',
    async () => {
      await sql`delete from kysely_migration`.execute(store.database)
      await sql`insert into kysely_migration values ('0200-feature-flags', '2020-01-01')`.execute(
        store.database,
      )
      const { settings, shown } = withPassword(store.settings)
      expect(await refusal(settings)).toBe(
        `The database ${shown} was made by an unreleased commit of Switchyard (its last migration is 0200-feature-flags), ` +
          'which no release can upgrade: export the projects with that commit and import them into a new installation, or ' +
          'start with an empty data folder and database.',
      )
    },
  )

  testOnOne('a store with tables that no release has recorded is refused without a change', async () => {
    await sql`delete from kysely_migration`.execute(store.database)
    expect(await refusal()).toContain(
      'has tables that no release of Switchyard has recorded, such as access_request:',
    )
  })

  test('a migration that fails leaves nothing', async () => {
    addMigration('0900-fails', async (db) => {
      await sql`create table half (id bigint)`.execute(db)
      await sql`insert into instance_setting values ('half', 'done')`.execute(db)
      await sql`insert into nothing values (1)`.execute(db)
    })
    expect(await refusal()).toMatch(
      /^The database schema could not be brought up to date: .* \(in migration 0900-fails\)$/,
    )
  })

  test('a migration of the next release is applied once when two coordinators start', async () => {
    addMigration('0900-next', async (db) => {
      await sql`create table next (id bigint)`.execute(db)
      await sql`insert into next values (1)`.execute(db)
    })
    const second = connectDatabase(store.settings)
    onFinished(() => second.destroy())
    await Promise.all([store.database, second].map((database) => migrate(database, store.settings)))
    expect((await sql`select id from next`.execute(store.database)).rows).toEqual([{ id: 1 }])
    await sql`drop table next`.execute(store.database)
  })

  test('a second connection sees what the first has written', async () => {
    await store.database.insertInto('instance_setting').values({ key: 'a', value: 'b' }).execute()
    const second = connectDatabase(store.settings)
    const rows = await second.selectFrom('instance_setting').selectAll().execute()
    await second.destroy()
    expect(rows).toHaveLength(1)
  })
})

// On PostgreSQL: killed-migrations.nightly.system.test.ts.
testAtNight('two coordinators that find an empty database of SQLite migrate it once', async () => {
  const settings = { dialect: 'sqlite', file: join(await tempDir(), 'switchyard.db') } as const
  const databases = [connectDatabase(settings), connectDatabase(settings)] as const
  onFinished(() => Promise.all(databases.map((database) => database.destroy())))
  await Promise.all(databases.map((database) => migrate(database, settings)))
  expect(await namesOf(databases[0])).toEqual(Object.keys(migrations).map((name) => ({ name })))
})

/** The settings with a password, which no message may show. Nor may it show parameters: one of them is `password`. */
function withPassword(settings: DatabaseSettings): { settings: DatabaseSettings; shown: string } {
  if (settings.dialect === 'sqlite') return { settings, shown: settings.file }
  const url = new URL(settings.url)
  const shown = `postgres://${url.username}@${url.host}${url.pathname}`
  url.password = 'secret'
  return { settings: { dialect: 'postgres', url: url.href }, shown }
}

async function namesOf(database: Database): Promise<unknown[]> {
  return (await sql`select name from kysely_migration order by name`.execute(database)).rows
}
