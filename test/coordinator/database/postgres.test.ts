import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Database } from '../../../src/coordinator/database/connect.js'
import { executeTogether } from '../../../src/coordinator/database/execute-together.js'
import { isStoreGone } from '../../../src/coordinator/database/store-gone.js'
import {
  afterCommit,
  inTransaction,
  type Transaction,
} from '../../../src/coordinator/database/transaction.js'
import { openPostgres } from '../../support/databases.js'

test('PostgreSQL does not compile queries, on no connection', async () => {
  const { database } = await openPostgres()
  const settings = await Promise.all([1, 2, 3].map(() => sql`show jit`.execute(database)))
  expect(settings.map(({ rows }) => rows)).toEqual([1, 2, 3].map(() => [{ jit: 'off' }]))
})

test('a connection that is cut inside a transaction fails that transaction, and nothing else', async () => {
  const { database } = await openPostgres()
  const cut = inTransaction(database, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database)
    // What the server said on its way out has arrived once it has no such connection any more.
    await expect.poll(() => isConnected(database, rows[0]?.pid)).toBe(false)
    await sql`select 1`.execute(tx)
  })
  await expect(cut).rejects.toSatisfy(isStoreGone)
  expect((await sql`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }])
})

test('a query whose connection is cut before its result arrives may be repeated', async () => {
  const { database } = await openPostgres()
  const asked = expect(sql`select pg_sleep(3600)`.execute(database)).rejects.toSatisfy(isStoreGone)
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query ~ '^select pg_sleep'`
  await expect.poll(async () => (await cut().execute(database)).rows.length).toBe(1)
  await asked
})

test('transactions that wait for each other are both done, one after the other', async () => {
  const { database } = await openPostgres()
  const key = (name: string) => ({ key: name, value: '' })
  await database
    .insertInto('instance_setting')
    .values([key('one'), key('other')])
    .execute()
  const hooks: string[] = []
  let waiting = 2
  let tellBoth = (): void => undefined
  const bothHaveLocked = new Promise<void>((resolve) => (tellBoth = resolve))
  const lock = (tx: Transaction, name: string, by: string) =>
    tx
      .updateTable('instance_setting')
      .set({ value: sql`value || ${by}` })
      .where('key', '=', name)
      .execute()
  const work = (first: string, second: string) =>
    inTransaction(database, async (tx) => {
      afterCommit(tx, () => hooks.push(first))
      await lock(tx, first, first)
      if (--waiting === 0) tellBoth()
      await bothHaveLocked
      await lock(tx, second, first)
    })
  await Promise.all([work('one', 'other'), work('other', 'one')])
  const rows = await database.selectFrom('instance_setting').select('value').execute()
  // One of them was run again, perhaps more than once: it may lock its first row before the other one gets it.
  expect(waiting).toBeLessThan(0)
  expect(new Set(rows.map(({ value }) => value)).size).toBe(1)
  expect(hooks.sort()).toEqual(['one', 'other'])
})

test('a statement that is part of a deadlock is done after the transaction', async () => {
  const { database } = await openPostgres()
  const keys = ['a', 'b', 'c']
  await database
    .insertInto('instance_setting')
    .values(keys.map((key) => ({ key, value: '' })))
    .execute()
  const change = (by: Database, ...names: string[]) =>
    by
      .updateTable('instance_setting')
      .set({ value: sql`value || 'x'` })
      .where('key', 'in', names)
      .execute()
  const holder = await database.startTransaction().execute()
  await change(holder, 'b')
  const tx = await database.startTransaction().execute()
  await change(tx, 'c')
  const statement = database.connection().execute(async (connection) => {
    await sql`set deadlock_timeout = '10ms'`.execute(connection)
    await change(connection, ...keys)
  })
  await expect.poll(() => countWaiting(database)).toBe(1)
  await sql`set local deadlock_timeout = '1h'`.execute(tx)
  const last = change(tx, 'a')
  await expect.poll(() => countWaiting(database)).toBe(2)
  // The statement closes the circle, so it is the one that is aborted.
  await holder.commit().execute()
  await last
  await tx.commit().execute()
  await statement
  const rows = await database.selectFrom('instance_setting').select('value').execute()
  expect(rows).toEqual(keys.map(() => ({ value: 'xx' })))
})

/** Number of statements that wait for a lock. */
async function countWaiting(database: Database): Promise<number> {
  const { rows } =
    await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database,
    )
  return rows.length
}

async function isConnected(database: Database, pid: number | undefined): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(database)
  return rows.length > 0
}

test('statements that are sent together run in their order, each after the one before', async () => {
  const { database } = await openPostgres()
  const key = 'one'
  await inTransaction(database, async (tx) => {
    const [, inserted, , updated] = await executeTogether(tx, [
      tx.insertInto('instance_setting').values({ key, value: 'a' }).compile(),
      tx.selectFrom('instance_setting').select('value').where('key', '=', key).compile(),
      tx.updateTable('instance_setting').set({ value: 'b' }).where('key', '=', key).compile(),
      tx.selectFrom('instance_setting').select('value').where('key', '=', key).compile(),
    ])
    expect([inserted.rows, updated.rows]).toEqual([[{ value: 'a' }], [{ value: 'b' }]])
  })
})

test('a statement that fails fails those that were sent with it, and their transaction, and nothing else', async () => {
  const { database } = await openPostgres()
  const insert = (tx: Transaction, key: string) =>
    tx.insertInto('instance_setting').values({ key, value: '' }).compile()
  const failed = inTransaction(database, (tx) =>
    executeTogether(tx, [insert(tx, 'one'), insert(tx, 'one'), insert(tx, 'two')]),
  )
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect(await database.selectFrom('instance_setting').select('key').execute()).toEqual([])
  await inTransaction(database, (tx) => executeTogether(tx, [insert(tx, 'one'), insert(tx, 'two')]))
  expect(await database.selectFrom('instance_setting').select('key').orderBy('key').execute()).toEqual([
    { key: 'one' },
    { key: 'two' },
  ])
})

test('a transaction without statements is begun and ended', async () => {
  const { database } = await openPostgres()
  await inTransaction(database, () => Promise.resolve())
  await expect(inTransaction(database, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const { rows } = await sql<{ open: number }>`
    select count(*) as open from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()
  `.execute(database)
  expect(rows).toEqual([{ open: 0 }])
})
