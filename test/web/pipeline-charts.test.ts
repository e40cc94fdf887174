import { expect, test } from 'vitest'

import type { PipelineStatistics } from '../../src/coordinator/ci/pipelines/statistics/schema.js'
import {
  durationData,
  linearDurationAxis,
  passedData,
  passedShare,
  percentText,
} from '../../src/web/pages/pipelines/charts/chart-data.js'

test.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.5, '50 %'],
  [0.996, '99.6 %'],
  [1, '100 %'],
])('the share %d is %s', (share, text) => {
  expect(percentText(share)).toBe(text)
})

test.each([
  [[null], [0, 1]],
  [
    [300, 764],
    [0, 300, 600, 900],
  ],
  [[12], [0, 5, 10, 15]],
  [[500_000], [0, 172_800, 345_600, 518_400]],
])('durations of %j have marks at %j', (values, marks) => {
  expect(linearDurationAxis(values)).toEqual({ min: 0, max: marks.at(-1), marks })
})

test('there is no share without pipelines', () => {
  expect(passedShare({ success: 0, failed: 0 })).toBeNull()
  expect(passedShare({ success: 3, failed: 1 })).toBe(0.75)
})

test('weeks without pipelines are gaps', () => {
  const weeks = [
    { at: '2026-11-16T00:00:00.000Z', success: 1, failed: 1, p50: 60, p95: 90 },
    { at: '2026-11-23T00:00:00.000Z', success: 0, failed: 0, p50: null, p95: null },
  ]
  const statistics = { weeks } as PipelineStatistics
  const times = weeks.map(({ at }) => Date.parse(at) / 1000)
  expect(durationData(statistics)).toEqual({
    times,
    values: [
      [60, null],
      [90, null],
    ],
  })
  expect(passedData(statistics)).toEqual({ times, values: [[50, null]] })
})
