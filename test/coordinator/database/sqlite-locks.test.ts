import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'

import { sqliteDialect } from '../../../src/coordinator/database/sqlite.js'
import { isDatabaseBusy } from '../../../src/coordinator/database/store-gone.js'
import { responseOf } from '../../../src/coordinator/http/error-handler.js'
import { tempDir } from '../../support/temp-dir.js'

/** How long a thread may take to start, in milliseconds. */
const WAIT = 20_000

interface Row {
  id: number
  text: string
}

/** A store, and a connection of another process to it. */
async function openBoth(onSync?: () => void) {
  const file = join(await tempDir(), 'store.db')
  const database = new Kysely<{ row: Row }>({ dialect: sqliteDialect(file, onSync && { onSync }).dialect })
  await sql`create table row (id integer primary key, text text not null)`.execute(database)
  const other = new Sqlite(file)
  onTestFinished(async () => {
    other.close()
    await database.destroy()
  })
  const insert = (id: number, text = '') => database.insertInto('row').values({ id, text }).execute()
  return { database, other, insert, log: `${file}-wal` }
}

test('a statement and a transaction wait for another process without blocking the event loop', async () => {
  const { database, other, insert } = await openBoth()
  other.exec('begin immediate')
  const statement = insert(1)
  const transaction = database
    .transaction()
    .execute((tx) => tx.insertInto('row').values({ id: 2, text: '' }).execute())
  // What reads is not held up by those who wait.
  expect(await database.selectFrom('row').select('id').execute()).toEqual([])
  other.exec('commit')
  await Promise.all([statement, transaction])
  expect(await database.selectFrom('row').select('id').execute()).toEqual([{ id: 1 }, { id: 2 }])
})

test('all who wait for another process give up after the same time, with 503', async () => {
  const { other, insert } = await openBoth()
  other.exec('begin immediate')
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const begun = performance.now()
  clock.mockReturnValue(begun)
  const waiting = [1, 2, 3].map((id) => insert(id).catch((error: unknown) => error))
  await new Promise((resolve) => setImmediate(resolve))
  clock.mockReturnValue(begun + 5000)
  for (const error of await Promise.all(waiting)) {
    expect(error).toSatisfy(isDatabaseBusy)
    const { status, headers, body } = responseOf(error as Error)
    expect([status, headers]).toEqual([503, { 'retry-after': '5' }])
    expect(body['message']).toContain('Another process has locked the database')
  }
})

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('the log of commits that has grown behind a reader is emptied when nobody needs it', async () => {
  useFakeTimers()
  const { other, insert, log } = await openBoth()
  await insert(0)
  other.exec('begin; select * from row')
  other.prepare('select * from row').all()
  const text = 'x'.repeat(1024 * 1024)
  for (let id = 1; id <= 20; id++) await insert(id, text)
  other.exec('commit')
  await insert(100)
  expect((await stat(log)).size).toBeGreaterThan(16 * 1024 * 1024)
  await vi.waitFor(async () => {
    vi.advanceTimersByTime(30_000)
    expect((await stat(log)).size).toBe(0)
  }, WAIT)
})

test('what was written during a long read is not copied into the database by a commit, but beside other work', async () => {
  useFakeTimers()
  const onSync = vi.fn<() => void>()
  const { other, insert } = await openBoth(onSync)
  const pending = () => {
    const [state] = other.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
    return state ? state.log - state.checkpointed : 0
  }
  other.exec('begin')
  other.prepare('select * from row').all()
  const text = 'x'.repeat(1024 * 1024)
  for (let id = 1; id <= 12; id++) await insert(id, text)
  other.exec('commit')
  const atCommit: number[] = []
  onSync.mockImplementation(() => void atCommit.push(pending()))
  await insert(100)
  expect(atCommit).toEqual([pending()])
  expect(atCommit[0]).toBeGreaterThan(3000)
  await vi.waitFor(() => {
    vi.advanceTimersByTime(5000)
    expect(pending()).toBe(0)
  }, WAIT)
})
