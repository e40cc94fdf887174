import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { migrate } from '../../../src/coordinator/database/migrate.js'
import { describeOnEachDatabase, type TestDatabase } from '../../support/databases.js'

describeOnEachDatabase('migrate', (open) => {
  let store: TestDatabase
  beforeEach(async () => {
    store = await open()
  })

  test('a store that is up to date is left as it is', async () => {
    await store.database.insertInto('instance_setting').values({ key: 'a', value: 'b' }).execute()
    await migrate(store.database, store.dialect)
    const rows = await store.database.selectFrom('instance_setting').selectAll().execute()
    expect(rows).toEqual([{ key: 'a', value: 'b' }])
  })

  test('a store that a newer release has used is named so, with the remedy', async () => {
    await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(store.database)
    await expect(migrate(store.database, store.dialect)).rejects.toThrow(
      'The database was used by a newer release: it has the migration 9999-later, which this one does not know. Install',
    )
  })

  test('a second connection sees what the first has written', async () => {
    await store.database.insertInto('instance_setting').values({ key: 'a', value: 'b' }).execute()
    const second = connectDatabase(store.settings)
    const rows = await second.selectFrom('instance_setting').selectAll().execute()
    await second.destroy()
    expect(rows).toHaveLength(1)
  })
})
