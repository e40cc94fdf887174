import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { releaseMemoryWhenIdle } from '../../../src/coordinator/start/release-memory.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('memory is released after the start and after each busy time, but not while there is work', () => {
  const load = vi.spyOn(performance, 'eventLoopUtilization')
  const memory = { quiet: vi.fn(), stop: vi.fn() }
  const stopping = new AbortController()
  /** How often memory was released, and how often a release was called off, after samples with these loads. */
  const after = (...utilizations: number[]) => {
    for (const utilization of utilizations) {
      load.mockReturnValue({ utilization, active: 0, idle: 0 })
      vi.advanceTimersByTime(5000)
    }
    return [memory.quiet.mock.calls.length, memory.stop.mock.calls.length]
  }
  releaseMemoryWhenIdle(stopping.signal, memory)
  expect(after(0.01, 0.02)).toEqual([1, 0])
  expect(after(0.5, 0.1)).toEqual([1, 2])
  expect(after(0.09, 0, 0)).toEqual([2, 2])
  stopping.abort()
  expect(after(0.9, 0)).toEqual([2, 3])
  expect(vi.getTimerCount()).toBe(0)
})
