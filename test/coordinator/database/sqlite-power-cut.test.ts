import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'

import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'

import { sqliteDialect } from '../../../src/coordinator/database/sqlite.js'
import { tempDir } from '../../support/temp-dir.js'

interface Row {
  id: number
  client: number
}

const CLIENTS = 8
const WRITES = 40

/*
 * A power cut leaves what was on disk before it: at least what was committed when the last sync began that has ended. So
 * the files are copied at the beginning of each sync, and what a client was told must be in the copy of the last one.
 */

test('a power cut loses nothing that was promised', async () => {
  const folder = await tempDir()
  const cuts: string[] = []
  const database = openStore(join(folder, 'store.db'), () => {
    const cut = join(folder, `cut-${cuts.length}.db`)
    copyFileSync(join(folder, 'store.db'), cut)
    copyFileSync(join(folder, 'store.db-wal'), `${cut}-wal`)
    cuts.push(cut)
  })
  await sql`create table row (id integer primary key, client integer not null)`.execute(database)
  const promised: { id: number; cut: number }[] = []
  const write = async (client: number, turn: number): Promise<void> => {
    const id = client * WRITES + turn
    const insert = { id, client }
    if (turn % 2 === 0) await database.insertInto('row').values(insert).execute()
    else {
      await database.transaction().execute(async (tx) => {
        await tx.insertInto('row').values(insert).execute()
        await tx.updateTable('row').set({ client }).where('id', '=', id).execute()
      })
    }
    // Any later cut has it too.
    promised.push({ id, cut: cuts.length - 1 })
  }

  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = 0; turn < WRITES; turn++) await write(client, turn)
    }),
  )

  await database.destroy()
  expect(promised).toHaveLength(CLIENTS * WRITES)
  for (const [index, cut] of cuts.entries()) {
    const survived = await idsIn(cut)
    for (const { id } of promised.filter((one) => one.cut === index)) expect(survived).toContain(id)
  }
})

test('one sync serves the commits of many clients, and reading needs none', async () => {
  const folder = await tempDir()
  let syncs = 0
  const database = openStore(join(folder, 'store.db'), () => syncs++)
  await sql`create table row (id integer primary key, client integer not null)`.execute(database)
  syncs = 0
  await Promise.all(
    Array.from({ length: 50 }, (_, id) => database.insertInto('row').values({ id, client: 0 }).execute()),
  )
  expect(syncs).toBeLessThan(25)
  syncs = 0
  await database.selectFrom('row').selectAll().execute()
  await database.transaction().execute((tx) => tx.selectFrom('row').selectAll().execute())
  expect(syncs).toBe(0)
  await database.destroy()
})

function openStore(file: string, onSync: () => void): Kysely<{ row: Row }> {
  return new Kysely<{ row: Row }>({ dialect: sqliteDialect(file, { onSync }).dialect })
}

async function idsIn(file: string): Promise<number[]> {
  expect(existsSync(`${file}-wal`)).toBe(true)
  const database = openStore(file, () => undefined)
  try {
    const hasTable = await sql`select 1 from sqlite_master where name = 'row'`.execute(database)
    if (hasTable.rows.length === 0) return []
    return (await database.selectFrom('row').select('id').execute()).map(({ id }) => id)
  } finally {
    await database.destroy()
  }
}
