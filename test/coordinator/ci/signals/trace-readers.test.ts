import { expect, test, vi } from 'vitest'

import { TraceReaders } from '../../../../src/coordinator/ci/signals/trace-readers.js'

test('a trace is read for 15 seconds after the last read', () => {
  const begun = vi.fn()
  const readers = new TraceReaders(begun)
  expect(readers.readSince(1, 0)).toBeUndefined()
  readers.recordRead(1, 0)
  readers.recordRead(1, 10_000)
  expect(readers.readSince(1, 24_999)).toBe(0)
  expect(readers.isRead(1, 25_000)).toBe(false)
  expect(readers.isRead(2, 10_000)).toBe(false)
  expect(begun.mock.calls).toEqual([[1]])
})

test('a trace whose readers have left is read again', () => {
  const begun = vi.fn()
  const readers = new TraceReaders(begun)
  readers.recordRead(1, 0)
  readers.recordRead(1, 15_000)
  expect(readers.readSince(1, 20_000)).toBe(15_000)
  expect(begun.mock.calls).toEqual([[1], [1]])
})
