import { expect, test } from 'vitest'

import { Offers } from '../../../../src/coordinator/ci/queue/offers.js'

test('an offer holds against smaller weights, for some seconds, until it is withdrawn', () => {
  const offers = new Offers()
  offers.add(1, 5, 0)
  offers.add(2, 5, 0)
  expect(offers.isForGreater(1, 4, 4999)).toBe(true)
  expect(offers.isForGreater(1, 5, 0)).toBe(false)
  expect(offers.isForGreater(3, 4, 0)).toBe(false)
  offers.withdraw(2)
  expect(offers.isForGreater(2, 4, 0)).toBe(false)
  expect(offers.isForGreater(1, 4, 5000)).toBe(false)
})
