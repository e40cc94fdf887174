import { appendFile, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import type { BlobStore } from '../../../../src/coordinator/ci/storage/blob-store.js'
import { StoredLogs } from '../../../../src/coordinator/ci/storage/stored-logs.js'
import { TraceWorkers } from '../../../../src/coordinator/ci/storage/trace-index/trace-workers.js'
import { TraceIndexes } from '../../../../src/coordinator/ci/storage/trace-indexes.js'
import { Traces } from '../../../../src/coordinator/ci/storage/traces.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { SameLengthMasker } from '../../../../src/masking/same-length-masker.js'
import { BLOB_STORES, type OpenBlobs, openBucket } from '../../../support/blob-stores.js'
import { describeOnEachDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { onFinished, openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

const job = { id: 7, project_id: 3 }
const NO_SECRETS = new SameLengthMasker([])
/** More than is scanned without a thread. */
const LONG = Array.from({ length: 20_000 }, (_none, index) => `line number ${index} of a log\n`).join('')

const workers = openForFile(async () => {
  const opened = new TraceWorkers()
  onFinished(() => opened.stop())
  return opened
})

async function openLogs(open: OpenBlobs = openBucket, openStore: OpenDatabase = openSqlite) {
  const { database } = await openStore()
  const blobs = await open()
  const [root, copies] = [await tempDir(), await tempDir()]
  /** A coordinator with the same stores; `of` may replace the store of blobs. */
  const coordinator = (of: BlobStore = blobs) => {
    const stored = new StoredLogs(database, of, copies)
    const traces = new Traces(root, 1e9, {}, stored)
    onFinished(() => traces.close())
    const indexes = new TraceIndexes({ traces, workers: workers(), logger: createLogger('test', 'silent') })
    return { stored, traces, indexes }
  }
  const { stored, traces, indexes } = coordinator()
  const append = async (content: string) =>
    traces.append(job, await traces.size(job), Readable.from([Buffer.from(content)]), NO_SECRETS)
  const keys = async () => {
    const found: string[] = []
    for await (const { key } of blobs.list()) found.push(key)
    return found
  }
  const rows = () => database.selectFrom('stored_log').selectAll().execute()
  return { database, blobs, root, copies, coordinator, stored, traces, indexes, append, keys, rows }
}

/** Like `blobs`, but `before` runs before a file is stored, and `after` afterwards. */
function intercepted(
  blobs: BlobStore,
  { before = () => undefined, after = () => undefined }: { before?: () => unknown; after?: () => unknown },
): BlobStore {
  return new Proxy(blobs, {
    get: (target, name) => {
      if (name === 'storeFile') {
        return async (key: string, file: string) => {
          await before()
          await target.storeFile(key, file)
          await after()
        }
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

describe.each(BLOB_STORES)('the log of a finished job in a %s', (_name, open) => {
  test('is read like a file: whole, in ranges, by lines, with times and by search', async () => {
    const { traces, indexes, append, root } = await openLogs(open)
    await append(LONG)
    const before = await indexes.withLog(job, { isFinished: true }, async (log) => log?.view)
    const times = await readFile(traces.files(job).times)
    await traces.storeSteps(job, '["steps"]')
    expect(await traces.moveToStore(job)).toBe(true)
    expect(await traces.readSteps(job)).toBe('["steps"]')
    expect(await readdir(join(root, '3'))).toEqual([])
    expect(await traces.size(job)).toBe(LONG.length)
    expect(await text(await traces.read(job))).toBe(LONG)
    expect(await text(await traces.read(job, { start: 5, end: 10 }))).toBe(LONG.slice(5, 11))
    await indexes.withLog(job, { isFinished: true }, async (log) => {
      expect(log?.view).toEqual(before)
      expect(await readFile(log!.timesPath)).toEqual(times)
    })
    const hits: unknown[] = []
    const query = { kind: 'text', text: 'number 19999 ', ignoreCase: false } as never
    await indexes.search(
      job,
      { isFinished: true },
      { query, from: 1, limit: 10 },
      { signal: new AbortController().signal, onItem: (item) => hits.push(item) },
    )
    expect(JSON.stringify(hits)).toContain('20000')
  })

  testAtNight('is deleted with its blobs and its copy', async () => {
    const { traces, indexes, append, keys, copies, rows } = await openLogs(open)
    await append(LONG)
    await traces.moveToStore(job)
    await indexes.withLog(job, { isFinished: true }, () => Promise.resolve())
    expect((await readdir(join(copies, '3'))).length).toBeGreaterThan(0)
    await traces.delete(job)
    expect(await traces.readSteps(job)).toBeUndefined()
    expect(await keys()).toEqual([])
    expect(await rows()).toEqual([])
    expect(await readdir(join(copies, '3'))).toEqual([])
    expect(await traces.size(job)).toBe(0)
    expect(await text(await traces.read(job))).toBe('')
    expect(await indexes.withLog(job, { isFinished: true }, (log) => Promise.resolve(log))).toBeUndefined()
  })

  testAtNight('is deleted with its project', async () => {
    const { traces, append, keys, rows } = await openLogs(open)
    await append('log')
    await traces.moveToStore(job)
    await traces.deleteProject(3)
    expect([await keys(), await rows()]).toEqual([[], []])
  })
})

describeOnEachDatabase('moving a log', (openStore, testOnOne) => {
  testOnOne('a late patch for a stored log is refused and begins no new one', async () => {
    const { traces, append } = await openLogs(openBucket, openStore)
    await append('log')
    await traces.moveToStore(job)
    expect(await append('more')).toEqual({ kind: 'conflict', size: 3 })
    expect(await text(await traces.read(job))).toBe('log')
  })

  testOnOne(
    'a patch that arrives during the move keeps the file, and a later move stores all of it',
    async () => {
      const { blobs, coordinator, traces, append, keys } = await openLogs(openBucket, openStore)
      await append('log')
      const log = traces.files(job).log
      const other = coordinator(intercepted(blobs, { before: () => appendFile(log, ' more') }))
      expect(await other.traces.moveToStore(job)).toBe(false)
      expect(await keys()).toEqual([])
      expect(await traces.moveToStore(job)).toBe(true)
      expect(await text(await traces.read(job))).toBe('log more more')
    },
  )

  testOnOne.each(['before', 'after'] as const)(
    'a log that is deleted %s its bytes are stored stays deleted',
    async (when) => {
      const { blobs, coordinator, traces, append, keys, rows } = await openLogs(openBucket, openStore)
      await append('log')
      const mover = coordinator(intercepted(blobs, { [when]: () => traces.delete(job) }))
      expect(await mover.traces.moveToStore(job)).toBe(false)
      expect([await keys(), await rows()]).toEqual([[], []])
    },
  )

  test('of two coordinators that move a log, one does', async () => {
    const { blobs, coordinator, traces, append, keys } = await openLogs(openBucket, openStore)
    await append('log')
    let second: boolean | undefined
    const mover = coordinator(
      intercepted(blobs, { before: async () => (second ??= await traces.moveToStore(job)) }),
    )
    expect(await mover.traces.moveToStore(job)).toBe(true)
    expect(second).toBe(false)
    expect(await keys()).toHaveLength(2)
    expect(await text(await traces.read(job))).toBe('log')
  })

  testOnOne(
    'a move that takes long is left alone, and taken over a minute after its coordinator was killed',
    async () => {
      const { database, blobs, coordinator, traces, append, keys, rows } = await openLogs(
        openBucket,
        openStore,
      )
      await append('log')
      const timers = vi.spyOn(globalThis, 'setInterval')
      onTestFinished(() => timers.mockRestore())
      const killed = coordinator(intercepted(blobs, { after: () => new Promise(() => undefined) }))
      void killed.traces.moveToStore(job)
      await expect.poll(keys).toHaveLength(1)
      const claimedBefore = (seconds: number) =>
        database
          .updateTable('stored_log')
          .set({ upload_started_at: Date.now() - seconds * 1000 })
          .execute()
      await claimedBefore(50)
      const began = Date.now()
      const [renew] = timers.mock.calls.find(([, milliseconds]) => milliseconds === 20_000) ?? []
      renew?.()
      await expect.poll(async () => (await rows())[0]?.upload_started_at).toBeGreaterThanOrEqual(began)
      expect(await text(await traces.read(job))).toBe('log')
      expect(await traces.moveToStore(job)).toBe(false)
      // A killed process renews nothing.
      await claimedBefore(61)
      expect(await traces.moveToStore(job)).toBe(true)
      expect(await text(await traces.read(job))).toBe('log')
      expect(await keys()).toHaveLength(2)
    },
  )

  testOnOne('files that a kill left beside a log that was moved are deleted by a later run', async () => {
    const { traces, append, root } = await openLogs(openBucket, openStore)
    await append('log')
    await traces.moveToStore(job)
    const { index, held } = traces.files(job)
    for (const file of [index, held, `${index}.0123456789ab.tmp`, join(root, '3', '77.log')]) {
      await writeFile(file, '')
    }
    const listed: unknown[] = []
    for await (const each of traces.listFiles()) listed.push(each)
    expect(listed).toEqual(expect.arrayContaining([job, { id: 77, project_id: 3 }]))
    expect(listed).toHaveLength(2)
    expect(await traces.moveToStore(job)).toBe(false)
    expect(await readdir(join(root, '3'))).toEqual(['77.log'])
    expect(await text(await traces.read(job))).toBe('log')
  })

  testOnOne('a kill before the file is deleted leaves both, and the next run deletes the file', async () => {
    const { traces, append, keys, root } = await openLogs(openBucket, openStore)
    await append('log')
    await traces.moveToStore(job)
    await writeFile(traces.files(job).log, 'log')
    const stored = await keys()
    expect(await traces.moveToStore(job)).toBe(true)
    expect(await readdir(join(root, '3'))).toEqual([])
    expect(await keys()).toEqual(stored)
  })

  testOnOne('an error of the store leaves the file, and the next run moves it', async () => {
    const { blobs, coordinator, traces, append } = await openLogs(openBucket, openStore)
    await append('log')
    const broken = coordinator(
      intercepted(blobs, {
        before: () => {
          throw new Error('full')
        },
      }),
    )
    await expect(broken.traces.moveToStore(job)).rejects.toThrow('full')
    expect(await text(await traces.read(job))).toBe('log')
    expect(await traces.moveToStore(job)).toBe(true)
    expect(await text(await traces.read(job))).toBe('log')
  })
})

describe('copies of stored logs', () => {
  test('are read without the store, and deleted an hour after the last use', async () => {
    const { stored, traces, indexes, append, copies, keys, blobs } = await openLogs()
    await append('one\ntwo\n')
    await traces.moveToStore(job)
    const lines = () => indexes.withLog(job, { isFinished: true }, async (log) => log?.view.lines)
    expect(await lines()).toBe(2)
    for (const key of await keys()) await blobs.delete(key)
    expect(await lines()).toBe(2)
    await stored.deleteOldCopies(Date.now() + 3_500_000)
    expect(await lines()).toBe(2)
    await utimes(join(copies, '3', '7.log'), 0, 0)
    await stored.deleteOldCopies()
    expect(await readdir(join(copies, '3'))).toEqual([])
  })

  test('a copy that is evicted between two steps of a reader is made again', async () => {
    const { traces, indexes, append, copies } = await openLogs()
    await append('one\n')
    await traces.moveToStore(job)
    for (let round = 0; round < 2; round++) {
      expect(await indexes.withLog(job, { isFinished: true }, async (log) => log?.view.lines)).toBe(1)
      await rm(join(copies, '3'), { recursive: true })
    }
  })
})
