import { expect, test } from 'vitest'

import {
  isAffordable,
  searchCost,
  surePay,
} from '../../../../../src/coordinator/planning/merge-requests/trains/plan/budget.js'
import { nextTests } from '../../../../../src/coordinator/planning/merge-requests/trains/plan/next-tests.js'

/** Pipelines that a search by halves really starts, if the first failing car is the given one. */
function halvings(size: number, failing: number): number {
  if (size === 1) return 0
  const half = Math.floor(size / 2)
  return 1 + (failing <= half ? halvings(half, failing) : halvings(size - half, failing - half))
}

test('no search by halves takes more pipelines than its cost', () => {
  const over = Array.from({ length: 200 }, (_, index) => index + 1).flatMap((size) =>
    Array.from({ length: size }, (_, index) => ({ size, failing: index + 1 })).filter(
      ({ failing }) => halvings(size, failing) > searchCost(size, failing - 1),
    ),
  )
  expect(over).toEqual([])
})

test('a car that comes later never takes away what the others pay, and one that leaves takes one at most', () => {
  for (const entered of [1, 2, 3, 5, 8, 20, 64, 100]) {
    const sure = surePay(entered, Math.log2(entered))
    for (const [cars, paid] of sure.entries()) {
      const before = sure[Math.max(0, cars - 1)]!
      expect(paid).toBeGreaterThanOrEqual(before - 1e-9)
      expect(paid).toBeLessThanOrEqual(before + 1 + 1e-9)
    }
  }
})

function fresh(cars: number, slots: number) {
  return { cars, slots, running: [], failed: undefined, balance: 0, pay: Math.log2(cars) }
}

test('short trains test each car at once, and long ones test parts', () => {
  expect([1, 2, 3, 4].map((cars) => nextTests(fresh(cars, 20)).length)).toEqual([1, 2, 3, 4])
  const ends = nextTests(fresh(20, 20))
  expect(ends.at(-1)).toBe(20)
  expect(ends.length).toBeGreaterThan(5)
})

test('with one slot, one pipeline tests all cars that wait', () => {
  expect(nextTests(fresh(20, 1))).toEqual([20])
})

test('after a failure of all cars together, the cars are halved', () => {
  expect(nextTests({ ...fresh(20, 1), failed: 20, balance: -1 })).toEqual([10])
})

test('what cannot be repaid is not affordable', () => {
  const trials = { ...fresh(3, 20), sure: surePay(3, Math.log2(3)) }
  expect(isAffordable({ ...trials, running: [1, 2, 3], balance: -3 })).toBe(true)
  expect(isAffordable({ ...trials, running: [1, 2, 3], balance: -4 })).toBe(false)
})
