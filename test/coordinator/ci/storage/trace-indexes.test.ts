import { appendFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'

import { describe, expect, test, vi } from 'vitest'

import type { SearchItem } from '../../../../src/coordinator/ci/storage/trace-index/trace-worker.js'
import { TraceWorkers } from '../../../../src/coordinator/ci/storage/trace-index/trace-workers.js'
import { TraceIndexes } from '../../../../src/coordinator/ci/storage/trace-indexes.js'
import { Traces } from '../../../../src/coordinator/ci/storage/traces.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { SameLengthMasker } from '../../../../src/masking/same-length-masker.js'
import { onFinished, openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

const job = { id: 7, project_id: 3 }
const NO_SECRETS = new SameLengthMasker([])
/** More than is scanned without a thread. */
const MANY_LINES = Array.from({ length: 20_000 }, (_none, index) => `line number ${index} of a log\n`).join(
  '',
)
const SECTION = 'section_start:1:a\r\x1b[0KTitle\n'

const workers = openForFile(async () => {
  const opened = new TraceWorkers()
  onFinished(() => opened.stop())
  return opened
})

async function openIndexes() {
  const traces = new Traces(await tempDir(), 1e9)
  const opened = () =>
    new TraceIndexes({ traces, workers: workers(), logger: createLogger('test', 'silent') })
  const indexes = opened()
  const write = async (log: string) => {
    await mkdir(dirname(traces.files(job).log), { recursive: true })
    await writeFile(traces.files(job).log, log)
  }
  const viewBy = (by: TraceIndexes, isFinished = true) =>
    by.withLog(job, { isFinished }, (log) => Promise.resolve(log?.view))
  return { traces, indexes, write, restarted: opened, viewBy, view: () => viewBy(indexes) }
}

async function bytesOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

describe('the index of a log', () => {
  test('covers the whole log, and is stored', async () => {
    const { traces, write, view } = await openIndexes()
    await write(SECTION + MANY_LINES)
    expect(await view()).toMatchObject({
      lines: 20_001,
      bytes: (SECTION + MANY_LINES).length,
      sections: [{ name: 'a', title: 'Title', firstLine: 1 }],
    })
    expect(await bytesOf(traces.files(job).index)).toBeGreaterThan(79 * 6)
  })

  test('of a short log is not stored', async () => {
    const { traces, write, view } = await openIndexes()
    await write(`${SECTION}text`)
    expect(await view()).toMatchObject({ lines: 2, sections: [{ title: 'Title' }] })
    expect(await bytesOf(traces.files(job).index)).toBeUndefined()
  })

  test('is read after a restart', async () => {
    const { traces, write, view, viewBy, restarted } = await openIndexes()
    await write(SECTION + MANY_LINES)
    const before = await view()
    const run = vi.spyOn(workers(), 'run')
    onFinished(() => run.mockRestore())
    expect(await viewBy(restarted())).toEqual(before)
    expect(run).not.toHaveBeenCalled()
    await rm(traces.files(job).index)
    expect(await viewBy(restarted())).toEqual(before)
    expect(run).toHaveBeenCalledTimes(1)
  })

  test('follows a log that grows', async () => {
    const { traces, write, indexes, viewBy } = await openIndexes()
    await write('a\nb')
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 2, bytes: 3 })
    await appendFile(traces.files(job).log, '\nc\n')
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 3, bytes: 6 })
    await appendFile(traces.files(job).log, MANY_LINES)
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 20_003 })
    expect(await viewBy(indexes)).toMatchObject({ lines: 20_003 })
  })

  test.each<[string, (path: string) => Promise<void>]>([
    ['is empty', (path) => truncate(path)],
    ['is cut off', (path) => truncate(path, 100)],
    ['has other bytes', (path) => writeFile(path, Buffer.alloc(600, 7))],
    ['is damaged', async (path) => writeFile(path, (await readFile(path)).fill(0, 200, 210))],
  ])('that %s is built again', async (_name, damage) => {
    const { traces, write, view, viewBy, restarted } = await openIndexes()
    await write(SECTION + MANY_LINES)
    const before = await view()
    const stored = await readFile(traces.files(job).index)
    await damage(traces.files(job).index)
    expect(await viewBy(restarted())).toEqual(before)
    expect(await readFile(traces.files(job).index)).toEqual(stored)
  })

  test.each([
    ['shorter', 'other\n'],
    ['of the same length', MANY_LINES.replaceAll('line', 'LINE')],
    ['longer', `${MANY_LINES.replaceAll('line number', 'x\n\n\n')}${MANY_LINES}`],
  ])('is built again for another log that is %s', async (_name, other) => {
    const { write, view, viewBy, restarted } = await openIndexes()
    await write(MANY_LINES)
    await view()
    await write(other)
    const expected = { bytes: other.length, lines: other.split('\n').length - 1 }
    expect(await view()).toMatchObject(expected)
    expect(await viewBy(restarted())).toMatchObject(expected)
  })

  test('is deleted with its log, and not stored afterwards', async () => {
    const { traces, write, view } = await openIndexes()
    await write(MANY_LINES)
    await view()
    await traces.append(job, MANY_LINES.length, Readable.from(['x']), NO_SECRETS)
    const folder = dirname(traces.files(job).log)
    expect((await readdir(folder)).sort()).toEqual(['7.index', '7.log', '7.times'])
    await traces.delete(job)
    expect(await readdir(folder)).toEqual([])
    expect(await traces.storeIndex(job, traces.files(job), Buffer.from('index'))).toBe(false)
    expect(await readdir(folder)).toEqual([])
    expect(await view()).toBeUndefined()
  })

  test('of a log that is deleted while it is built is not stored', async () => {
    const { traces, write, indexes } = await openIndexes()
    await write(MANY_LINES)
    const run = vi.spyOn(workers(), 'run')
    onFinished(() => run.mockRestore())
    run.mockImplementationOnce(async (task) => {
      await traces.delete(job)
      run.mockRestore()
      return workers().run(task)
    })
    await indexes.withLog(job, { isFinished: true }, () => Promise.resolve())
    expect(await readdir(dirname(traces.files(job).log))).toEqual([])
  })
})

test('the index of a long log is built when its job ends', async () => {
  const { traces, write, indexes } = await openIndexes()
  await write(MANY_LINES)
  indexes.buildLater({ ...job, trace_bytes: MANY_LINES.length })
  await expect.poll(() => bytesOf(traces.files(job).index)).toBeGreaterThan(79 * 6)
})

describe('a search', () => {
  const found = async (indexes: TraceIndexes, from: number, signal = new AbortController().signal) => {
    const lines: number[] = []
    const query = { kind: 'text', text: '7 of', isCaseSensitive: true } as const
    const onItem = (item: SearchItem) => 'line' in item && lines.push(item.line)
    const end = await indexes.search(job, { isFinished: true }, { query, from, limit: 2 }, { signal, onItem })
    return { lines, end }
  }

  test('begins at any line', async () => {
    const { write, indexes } = await openIndexes()
    await write(MANY_LINES)
    expect(await found(indexes, 1)).toMatchObject({ lines: [8, 18], end: { searched_to: 18, done: false } })
    expect(await found(indexes, 12_345)).toMatchObject({ lines: [12_348, 12_358] })
    expect(await found(indexes, 19_999)).toMatchObject({
      lines: [],
      end: { hits: 0, searched_to: 20_000, done: true },
    })
    expect(await found(indexes, 50_000)).toMatchObject({ end: { searched_to: 20_000, done: true } })
  })

  test('in a job without a log finds nothing', async () => {
    const { indexes } = await openIndexes()
    expect(await found(indexes, 1)).toEqual({ lines: [], end: { hits: 0, searched_to: 0, done: true } })
  })

  testAtNight('that is ended leaves its thread to the next one', async () => {
    const { traces, write } = await openIndexes()
    await write(MANY_LINES.repeat(20))
    const own = new TraceWorkers()
    onFinished(() => own.stop())
    const { threads } = own as unknown as { threads: { start: () => unknown } }
    const started = vi.spyOn(threads, 'start')
    const indexes = new TraceIndexes({ traces, workers: own, logger: createLogger('test', 'silent') })
    for (const reason of ['typed on', 'typed on again']) {
      const ending = new AbortController()
      const search = {
        query: { kind: 'text', text: '0', isCaseSensitive: true },
        from: 1,
        limit: 1_000_000,
      } as const
      await expect(
        indexes.search(job, { isFinished: true }, search, {
          signal: ending.signal,
          onItem: () => ending.abort(new Error(reason)),
        }),
      ).rejects.toThrow(reason)
    }
    expect(await found(indexes, 1)).toMatchObject({ lines: [8, 18] })
    expect(started).toHaveBeenCalledTimes(1)
  })

  test('that is ended leaves its thread to nobody', async () => {
    const { write, indexes } = await openIndexes()
    await write(MANY_LINES)
    const ending = new AbortController()
    const query = { kind: 'regexp', expression: '(.*)'.repeat(100), isCaseSensitive: false } as const
    const endless = indexes.search(
      job,
      { isFinished: true },
      { query, from: 1, limit: 20_000 },
      { signal: ending.signal, onItem: () => ending.abort(new Error('enough')) },
    )
    await expect(endless).rejects.toThrow('enough')
    expect(await found(indexes, 1)).toMatchObject({ lines: [8, 18] })
  })
})

test('stopping ends what is built', async () => {
  const { traces, write } = await openIndexes()
  const warn = vi.fn()
  const indexes = new TraceIndexes({
    traces,
    workers: new TraceWorkers(),
    logger: { ...createLogger('test', 'silent'), warn },
  })
  await write(MANY_LINES)
  indexes.buildLater({ ...job, trace_bytes: MANY_LINES.length })
  await indexes.stop()
  await expect(indexes.withLog(job, { isFinished: true }, () => Promise.resolve())).rejects.toThrow(
    'stopping',
  )
  expect(warn).not.toHaveBeenCalled()
})

describe('the readable part of a log', () => {
  const secret = new SameLengthMasker(['correct-horse-battery'])

  test('ends before a possible start of a secret', async () => {
    const { traces, indexes, viewBy } = await openIndexes()
    await traces.append(job, 0, Readable.from(['a\ncorrect-']), secret)
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 1, bytes: 2 })
    await traces.append(job, 10, Readable.from(['horse-battery\nb\n']), secret)
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 3, bytes: 26 })
  })

  test('ends before a patch that is being written', async () => {
    const { traces, indexes, viewBy } = await openIndexes()
    await traces.append(job, 0, Readable.from(['a\n']), NO_SECRETS)
    const patch = new Readable({ read: () => undefined })
    const appending = traces.append(job, 2, patch, NO_SECRETS)
    patch.push('half\n')
    await expect.poll(() => traces.size(job)).toBe(7)
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 1, bytes: 2 })
    patch.destroy(new Error('gone'))
    await expect(appending).rejects.toThrow('gone')
    await traces.append(job, 2, Readable.from(['other\n\n']), NO_SECRETS)
    expect(await viewBy(indexes, false)).toMatchObject({ lines: 3, bytes: 9 })
  })
})

test('patches are stored also where their time cannot be', async () => {
  const lost = vi.fn()
  const traces = new Traces(await tempDir(), 1000, { onTimeLost: lost })
  await mkdir(traces.files(job).times, { recursive: true })
  const result = await traces.append(job, 0, Readable.from(['hello']), NO_SECRETS)
  expect(result).toEqual({ kind: 'appended', size: 5 })
  expect(lost).toHaveBeenCalledWith(job, expect.any(Error))
})
