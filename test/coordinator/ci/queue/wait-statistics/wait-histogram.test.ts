import { expect, test } from 'vitest'

import {
  bucketOf,
  percentilesOf,
} from '../../../../../src/coordinator/ci/queue/wait-statistics/wait-histogram.js'

const WEEK = 7 * 24 * 3600 * 1000

function histogramOf(waits: readonly number[]): Map<number, number> {
  const histogram = new Map<number, number>()
  for (const wait of waits) histogram.set(bucketOf(wait), (histogram.get(bucketOf(wait)) ?? 0) + 1)
  return histogram
}

test('every wait from 10 ms to a week is shown within 7.5 %', () => {
  for (let wait = 11; wait < WEEK; wait *= 1.037) {
    const { p50 } = percentilesOf(histogramOf([wait]))
    expect(Math.abs((p50 ?? 0) * 1000 - wait) / wait).toBeLessThan(0.076)
  }
})

test('longer waits are in higher buckets', () => {
  let last = 0
  for (let wait = 0.5; wait < WEEK; wait *= 1.5) {
    expect(bucketOf(wait)).toBeGreaterThanOrEqual(last)
    last = bucketOf(wait)
  }
})

test('a wait below 10 ms, also one of a clock that was set back, counts as 10 ms', () => {
  for (const wait of [-5000, 0, 3, 10]) expect(percentilesOf(histogramOf([wait])).p50).toBe(0.01)
})

test('a wait of more than a week counts as a week', () => {
  expect(bucketOf(100 * WEEK)).toBe(bucketOf(WEEK))
})

test('percentiles are those of the waits, as a sorted list has them', () => {
  const waits = Array.from({ length: 1000 }, (_, index) => (index + 1) * 100)
  const { count, ...percentiles } = percentilesOf(histogramOf(waits))
  expect(count).toBe(1000)
  for (const [name, expected] of Object.entries({ p50: 50, p90: 90, p95: 95, p99: 99 })) {
    const found = percentiles[name as keyof typeof percentiles] ?? 0
    expect(Math.abs(found - expected) / expected, name).toBeLessThan(0.076)
  }
})

test('without waits there are no percentiles', () => {
  expect(percentilesOf(new Map())).toEqual({ count: 0, p50: null, p90: null, p95: null, p99: null })
})
