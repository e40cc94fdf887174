import { sql, type SqlBool } from 'kysely'
import { expect, test } from 'vitest'

import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { preparedRead } from '../../../src/coordinator/database/prepared-read.js'
import { type Placeholder, PreparedStatement } from '../../../src/coordinator/database/prepared-statement.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { describeOnEachDatabase, openPostgres } from '../../support/databases.js'

const settingByKey = preparedRead((database, { key }: { key: Placeholder<string> }) =>
  database.selectFrom('instance_setting').selectAll().where('key', '=', key),
)

const settingsByKey = preparedRead(
  (database, { keys, least }: { keys: Placeholder<string>[]; least: Placeholder<string> }) =>
    database
      .selectFrom('instance_setting')
      .select('key')
      .where('key', 'in', keys)
      .where('value', '>=', least)
      .where('value', '<', 'zz')
      .orderBy('key'),
)

const ofConstants = new PreparedStatement((database, { key }: { key: Placeholder<string> }) =>
  database
    .selectFrom('instance_setting')
    .select('key')
    .where('key', 'in', [key])
    .where('value', '=', "it's")
    .where('value', 'in', ["it's", 'b'])
    .where('value', 'is not', null)
    .limit(1),
)

describeOnEachDatabase('a prepared read', (open) => {
  test('is made again and again with other values, and lists of other lengths', async () => {
    const { database } = await open()
    await database
      .insertInto('instance_setting')
      .values(['a', 'b', 'c'].map((key) => ({ key, value: `of ${key}` })))
      .execute()

    expect(await settingByKey(database, { key: 'a' })).toEqual([{ key: 'a', value: 'of a' }])
    expect(await settingByKey(database, { key: 'b' })).toEqual([{ key: 'b', value: 'of b' }])
    expect(await settingByKey(database, { key: 'd' })).toEqual([])
    expect(await settingsByKey(database, { keys: ['c', 'a'], least: '' })).toEqual([
      { key: 'a' },
      { key: 'c' },
    ])
    expect(await settingsByKey(database, { keys: ['a', 'b', 'c'], least: 'of b' })).toEqual([
      { key: 'b' },
      { key: 'c' },
    ])
  })

  test('has its constants in its text: with them, a store knows which partial index it may use', async () => {
    const { database } = await open()
    const { sql: text, parameters } = ofConstants.with(database, { key: 'a' })
    expect(parameters).toEqual(['a'])
    expect(text).toContain(`"value" = 'it''s'`)
    expect(text).toContain(`"value" in ('it''s', 'b')`)
    expect(text).toContain('is not null')
    expect(text).toContain('limit 1')
    await database
      .insertInto('instance_setting')
      .values([
        { key: 'a', value: "it's" },
        { key: 'b', value: "it's" },
      ])
      .execute()
    expect((await database.executeQuery(ofConstants.with(database, { key: 'a' }))).rows).toEqual([
      { key: 'a' },
    ])
  })

  test('reads uncommitted rows inside the transaction and committed rows outside', async () => {
    const { database } = await open()
    await inTransaction(database, async (tx) => {
      await tx.insertInto('instance_setting').values({ key: 'a', value: '1' }).execute()
      expect(await settingByKey(tx, { key: 'a' })).toHaveLength(1)
      expect(await settingByKey(database, { key: 'a' })).toEqual([])
    })
    expect(await settingByKey(database, { key: 'a' })).toHaveLength(1)
  })

  test('reads changes of another coordinator immediately', async () => {
    const { database, settings } = await open()
    const other = connectDatabase(settings)
    try {
      await database.insertInto('instance_setting').values({ key: 'a', value: '1' }).execute()
      expect(await settingByKey(other, { key: 'a' })).toEqual([{ key: 'a', value: '1' }])
      await database.updateTable('instance_setting').set({ value: '2' }).execute()
      expect(await settingByKey(other, { key: 'a' })).toEqual([{ key: 'a', value: '2' }])
    } finally {
      await other.destroy()
    }
  })

  test('still works after a later version adds a column to the table', async () => {
    const { database } = await open()
    await database.insertInto('instance_setting').values({ key: 'a', value: '1' }).execute()
    await settingByKey(database, { key: 'a' })
    await sql`alter table instance_setting add column note text`.execute(database)
    expect(await settingByKey(database, { key: 'a' })).toMatchObject([{ key: 'a', value: '1' }])
    expect(await settingByKey(database, { key: 'a' })).toMatchObject([{ key: 'a', value: '1' }])
  })

  test('still works in a transaction after a later version adds a column to the table', async () => {
    const { database } = await open()
    await database.insertInto('instance_setting').values({ key: 'a', value: '1' }).execute()
    const changeAndRead = (value: string) =>
      inTransaction(database, async (tx) => {
        await tx.updateTable('instance_setting').set({ value }).execute()
        return settingByKey(tx, { key: 'a' })
      })
    await changeAndRead('2')
    await sql`alter table instance_setting add column note text`.execute(database)
    expect(await changeAndRead('3')).toMatchObject([{ key: 'a', value: '3' }])
    expect(await changeAndRead('4')).toMatchObject([{ key: 'a', value: '4' }])
  })
})

test('PostgreSQL keeps the plan of a prepared statement in a transaction as well', async () => {
  const { database } = await openPostgres()
  const kept = await inTransaction(database, async (tx) => {
    await settingByKey(tx, { key: 'a' })
    await tx.selectFrom('instance_setting').select('value').where('key', '=', 'b').execute()
    const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
      tx,
    )
    return rows.filter(({ statement }) => statement.includes('instance_setting'))
  })
  expect(kept).toEqual([{ statement: 'select * from "instance_setting" where "key" = $1' }])
})

test('reads that are made at the same time share a few connections of PostgreSQL; one that fails fails alone', async () => {
  const { database } = await openPostgres()
  const divide = preparedRead(
    (_database, { by }: { by: Placeholder<number> }) =>
      sql<{ pid: number; quotient: number }>`
      select pg_backend_pid() as pid, cast(12 as bigint) / cast(${by} as bigint) as quotient`,
  )
  const read = () => Promise.allSettled(Array.from({ length: 20 }, (_, by) => divide(database, { by })))
  for (const [failed, ...others] of [await read(), await read()]) {
    expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    const rows = others.flatMap((other) => (other.status === 'fulfilled' ? other.value : []))
    expect(rows.map(({ quotient }) => quotient)).toEqual(
      others.map((_, index) => Math.trunc(12 / (index + 1))),
    )
    expect(new Set(rows.map(({ pid }) => pid)).size).toBe(2)
  }
})

test('a prepared statement of PostgreSQL returns values of every type, also of a row that has none', async () => {
  const { database } = await openPostgres()
  const values = preparedRead((_database, { is }: { is: Placeholder<boolean> }) => {
    const given = sql<SqlBool>`cast(${is} as boolean)`
    return sql<Record<string, unknown>>`
      select case when ${given} then 9007199254740991 end as number, case when ${given} then 0.5::float8 end as part,
        case when ${given} then 'é' end as text, case when ${given} then false end as response,
        case when ${given} then '{"a": [1]}'::jsonb end as json`
  })
  const none = { number: null, part: null, text: null, response: null, json: null }
  const all = { number: Number.MAX_SAFE_INTEGER, part: 0.5, text: 'é', response: false, json: { a: [1] } }
  // The second time, the statement is known.
  for (const expected of [all, none, all])
    expect(await values(database, { is: expected === all })).toEqual([expected])
})
