import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Database } from '../../../src/coordinator/database/connect.js'
import { isStoreGone } from '../../../src/coordinator/database/store-gone.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
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

test('a question whose connection is cut before its answer arrives may be asked again', async () => {
  const { database } = await openPostgres()
  const asked = expect(sql`select pg_sleep(3600)`.execute(database)).rejects.toSatisfy(isStoreGone)
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where query ~ '^select pg_sleep'`
  await expect.poll(async () => (await cut().execute(database)).rows.length).toBe(1)
  await asked
})

async function isConnected(database: Database, pid: number | undefined): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(database)
  return rows.length > 0
}
