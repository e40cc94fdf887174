import { expect, test } from 'vitest'

import { growingCache } from '../../src/lib/growing-cache.js'

test('the entry that was used least recently leaves a full cache', () => {
  const cache = growingCache<number, string>(2)
  cache.set(1, 'one').set(2, 'two')
  expect(cache.get(1)).toBe('one')
  cache.set(3, 'three')
  expect([...cache.keys()].toSorted()).toEqual([1, 3])
})
