import { once } from 'node:events'

import { expect, onTestFinished, test, vi } from 'vitest'

import { parseCursor } from '../../../src/coordinator/live/cursor.js'
import { type LiveEvent, liveEvent } from '../../../src/coordinator/live/live-event.js'
import { LiveStream, type LiveStreamDeps } from '../../../src/coordinator/live/live-stream.js'
import { deferred } from '../../../src/lib/deferred.js'

const HOUR = 3_600_000
const KIB = 1024

/** A stream of the pipeline 1, of which no event is read until `read`. */
function openStream(deps: Partial<LiveStreamDeps> = {}, cursor = 'v=1000') {
  const stream = new LiveStream(
    {
      build: 'test',
      times: { comment: HOUR, check: HOUR, end: HOUR },
      readCaller: async () => ({ kind: 'anonymous' }),
      accessTo: async () => ({ refused: undefined }),
      changesSince: async function* () {},
      follow: () => {
        throw new Error('no log is followed')
      },
      unfollow: () => {},
      subscribe: () => {},
      unsubscribe: () => {},
      onSent: () => {},
      onFailed: () => {},
      onClosed: () => {},
      ...deps,
    },
    { kind: 'anonymous' },
  )
  onTestFinished(() => void stream.body.destroy())
  stream.open({
    granted: [{ topic: { kind: 'pipeline', id: 1 }, access: { refused: undefined } }],
    refused: [],
    cursor: parseCursor(cursor),
  })
  let text = ''
  return {
    stream,
    /** Reads until the text has a match; returns all that was read. */
    read: async (until: RegExp) => {
      while (!until.test(text)) {
        const chunk = stream.body.read() as Buffer | null
        if (chunk === null) await once(stream.body, 'readable')
        else text += chunk.toString()
      }
      return text
    },
  }
}

/** An event about pipeline 1; its number is in the place of the ID. */
function change(id: number, { asOf, size = 0 }: { asOf?: number; size?: number } = {}): LiveEvent {
  const event = liveEvent(
    'pipeline-deleted',
    { id, project_id: 1 },
    { kind: 'pipeline', ...(asOf !== undefined && { asOf }) },
  )
  return { ...event, data: event.data + ' '.repeat(size) }
}

const numbersIn = (text: string) => [...text.matchAll(/"id":(\d+),"project_id"/g)].map(([, id]) => Number(id))

test('events that arrive while a stream catches up follow what is read from the store', async () => {
  const stored = deferred()
  const { stream, read } = openStream({
    changesSince: async function* () {
      await stored.promise
      yield change(1)
    },
  })
  stream.publish(change(2, { asOf: 2000 }))
  stored.resolve()
  const text = await read(/"id":2,/)
  expect(numbersIn(text)).toEqual([1, 2])
  // While it catches up, the cursor stays what it was.
  expect([...text.matchAll(/^id: v=(\d+)$/gm)].map(([, time]) => time).slice(0, 2)).toEqual(['1000', '1000'])
})

test('a reader that is slower than the events misses some, and catches up from what it has', async () => {
  const since: number[] = []
  const { stream, read } = openStream({
    changesSince: async function* (_topic, from) {
      since.push(from)
      if (since.length > 1) yield change(99)
    },
  })
  await read(/hello/)
  stream.publish(change(1, { asOf: Date.now() + 1000 }))
  const first = await read(/"id":1,/)
  const had = Number(/id: v=(\d+)\n[^\n]*"id":1,/.exec(first)?.[1])
  for (let id = 2; id <= 30; id++) stream.publish(change(id, { asOf: had + id, size: 10 * KIB }))
  const text = await read(/"id":99,/)
  expect(numbersIn(text).length).toBeLessThan(31)
  expect(since).toHaveLength(2)
  // It had at least the first event, and what the connection had taken.
  expect(since[1]).toBeGreaterThanOrEqual(had)
  expect(since[1]).toBeLessThan(had + 30)
  stream.publish(change(100, { asOf: had + 100 }))
  expect(numbersIn(await read(/"id":100,/)).at(-1)).toBe(100)
})

test('a reader that falls behind before it has what it asked for, asks for it again', async () => {
  const asked: number[] = []
  const { stream, read } = openStream(
    {
      changesSince: async function* (_topic, from) {
        asked.push(from)
        yield change(50, { size: 60 * KIB })
        yield change(51, { size: 10 * KIB })
      },
    },
    'v=1000;p1=0',
  )
  // They are held until the stream has caught up, and are then too many.
  for (let id = 1; id <= 30; id++) stream.publish(change(id, { size: 10 * KIB }))
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(asked).toEqual([0, 0])
  const text = await read(/"id":51,/)
  expect(numbersIn(text).slice(0, 2)).toEqual([50, 51])
})

test('a failure to read from the store ends the stream', async () => {
  const failed = deferred<unknown>()
  const closed = deferred()
  const { stream } = openStream({
    // eslint-disable-next-line require-yield
    changesSince: async function* () {
      throw new Error('no database')
    },
    onFailed: (error) => failed.resolve(error),
    onClosed: () => closed.resolve(),
  })
  expect(await failed.promise).toEqual(new Error('no database'))
  stream.body.resume()
  await closed.promise
})
