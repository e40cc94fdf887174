import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'

import { searchTrace } from '../../../../../src/coordinator/ci/jobs/trace/search-trace.js'
import type { TraceIndexes } from '../../../../../src/coordinator/ci/storage/trace-indexes.js'
import type { JobRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'

const job = { id: 7, project_id: 3, status: 'success', started_at: 1, erased_at: null } as JobRow

/** A search that reports a line and then never ends by itself. */
const endless: TraceIndexes['search'] = (_job, _state, _search, { signal, onItem }) => {
  onItem({ line: 4, text: 'a', offset: 0, ranges: [] })
  onItem({ searched_to: 900 })
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

const check = () => Promise.resolve()

function start(search: TraceIndexes['search']) {
  const freePlace = vi.fn()
  return {
    freePlace,
    found: searchTrace(
      { indexes: { search }, check, missingOf: async () => 0, takePlace: () => freePlace },
      job,
      { q: 'a' },
    ),
  }
}

test('a search that takes too long ends, and says how far it came', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { found, freePlace } = start(endless)
  const written = text(found)
  vi.advanceTimersByTime(30_000)
  const lines = (await written).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { line: 4, text: 'a', offset: 0, ranges: [] },
    { searched_to: 900 },
    { hits: 1, searched_to: 900, done: false, missing_bytes: 0 },
  ])
  expect(freePlace).toHaveBeenCalledTimes(1)
})

test('a search that fails ends its stream with the error', async () => {
  const { found, freePlace } = start(() => Promise.reject(new Error('broken disk')))
  await expect(text(found)).rejects.toThrow('broken disk')
  expect(freePlace).toHaveBeenCalledTimes(1)
})
