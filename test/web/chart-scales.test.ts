import { expect, test } from 'vitest'

import {
  alignPoints,
  countAxis,
  durationAxis,
  durationMark,
  lonelyPoints,
} from '../../src/web/charts/scales.js'

test('points are put onto all intervals of the period, with gaps between them', () => {
  const period = { from: '2026-01-01T00:02:00Z', to: '2026-01-01T00:20:00Z', step: 300 }
  const points = [
    { at: '2026-01-01T00:00:00Z', a: 1, b: null },
    { at: '2026-01-01T00:10:00Z', a: 3, b: 4 },
  ]
  const start = Date.parse('2026-01-01T00:00:00Z') / 1000
  expect(alignPoints(period, points, [({ a }) => a, ({ b }) => b])).toEqual({
    times: [start, start + 300, start + 600, start + 900],
    values: [
      [1, null, 3, null],
      [null, null, 4, null],
    ],
  })
})

test.each([
  [[], [0.1, 1]],
  [
    [0.4, null, 0.02],
    [0.1, 1],
  ],
  [[41], [0.1, 1, 10, 60]],
  [[3600], [0.1, 1, 10, 60, 600, 3600]],
])('an axis of durations for %j has the marks %j', (values, marks) => {
  expect(durationAxis(values)).toEqual({ min: 0.1, max: marks.at(-1), marks })
})

test('an axis of durations ends with the longest one where no mark is longer', () => {
  expect(durationAxis([5_000_000])).toMatchObject({ max: 5_000_000 })
})

test.each([
  [[0], [0, 0.5, 1]],
  [[3], [0, 1, 2, 3]],
  [
    [33, null, 41],
    [0, 20, 40, 60],
  ],
  [[0.6], [0, 0.5, 1]],
  [[1000], [0, 500, 1000]],
])('an axis of counts for %j has the marks %j', (values, marks) => {
  expect(countAxis(values)).toEqual({ min: 0, max: marks.at(-1), marks })
})

test.each([
  [0.1, '0.1 s'],
  [10, '10 s'],
  [600, '10 m'],
  [21_600, '6 h'],
  [2_592_000, '30 d'],
])('the mark of %d seconds is %s', (seconds, mark) => {
  expect(durationMark(seconds)).toBe(mark)
})

test('values without a neighbor are points', () => {
  expect(lonelyPoints([1, null, 2, 3, null, 4])).toEqual([0, 5])
  expect(lonelyPoints([null, 1, 1])).toEqual([])
})
