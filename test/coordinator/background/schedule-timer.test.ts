import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { MAX_WAIT, ScheduleTimer } from '../../../src/coordinator/background/schedule-timer.js'
import { createLogger } from '../../../src/lib/logger.js'
import { onFinished } from '../../support/lifetime.js'

const HOUR = 3600 * 1000
const NOON = Date.UTC(2026, 0, 31, 12)

const { eventLoopUtilization } = performance
beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
  // Coordinators of other files of this process still measure their load.
  performance.eventLoopUtilization = eventLoopUtilization
})
afterEach(() => void vi.useRealTimers())

/** A timer whose work is due at `dueAt`. Returns how often it has looked, and whether it found the work due. */
function startTimer(dueAt: number) {
  const stopping = new AbortController()
  const seen = { looks: 0, started: false }
  const startDue = async () => {
    seen.looks += 1
    seen.started ||= Date.now() >= dueAt
    return seen.started ? undefined : dueAt
  }
  const timer = new ScheduleTimer({ of: 'Tests', startDue, logger: createLogger('test', 'silent') })
  const running = timer.run(stopping.signal)
  onFinished(async () => {
    stopping.abort()
    await running
  })
  return { timer, seen }
}

test('work starts at its time', async () => {
  const { seen } = startTimer(NOON + 5000)
  await vi.advanceTimersByTimeAsync(4999)
  expect(seen.started).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(seen.started).toBe(true)
})

test('a clock that steps back by an hour and returns delays work by half a minute at most', async () => {
  const { seen } = startTimer(NOON + 60_000)
  await vi.advanceTimersByTimeAsync(1000)
  vi.setSystemTime(NOON - HOUR)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(seen.started).toBe(false)
  vi.setSystemTime(NOON + 11 * 60_000)
  await vi.advanceTimersByTimeAsync(MAX_WAIT)
  expect(seen.started).toBe(true)
})

test('a clock that steps back does not keep a timer from looking, nor from what is scheduled then', async () => {
  const { timer, seen } = startTimer(NOON - HOUR + 30_000)
  vi.setSystemTime(NOON - HOUR)
  await vi.advanceTimersByTimeAsync(1)
  const before = seen.looks
  await vi.advanceTimersByTimeAsync(3 * MAX_WAIT)
  expect(seen.looks).toBeGreaterThanOrEqual(before + 3)
  timer.schedule(Date.now() + 10)
  const looks = seen.looks
  await vi.advanceTimersByTimeAsync(10)
  expect(seen.looks).toBe(looks + 1)
})
