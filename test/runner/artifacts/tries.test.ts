import { expect, test } from 'vitest'

import { Tries } from '../../../src/runner/artifacts/send-artifact.js'

test('a coordinator that responds gets a fixed number of attempts', () => {
  const tries = new Tries(1000)
  expect([1, 2, 3].map(() => tries.mayTryAgain(true, 3))).toEqual([true, true, false])
})

test('silence does not count until the silence timeout', () => {
  const tries = new Tries(1000)
  const allowed = [0, 500, 999, 1000, 1001, 1002].map((now) => tries.mayTryAgain(false, 3, now))
  expect(allowed).toEqual([true, true, true, true, true, false])
})

test('a response resets the silence timeout', () => {
  const tries = new Tries(1000)
  tries.mayTryAgain(false, 3, 0)
  tries.mayTryAgain(true, 3, 900)
  expect(tries.mayTryAgain(false, 3, 1500)).toBe(true)
  expect(tries.mayTryAgain(false, 3, 2400)).toBe(true)
})
