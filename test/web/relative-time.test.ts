import { expect, test } from 'vitest'

import { relativeTime } from '../../src/web/kit/relative-time.js'

test.each([
  [-10, 'just now'],
  [-45, '45 seconds ago'],
  [-3 * 60 - 20, '3 m ago'],
  [-3700, '1 h ago'],
  [2 * 3600, 'in 2 h'],
  [-86_400, 'yesterday'],
  [-3 * 86_400, '3 days ago'],
  [-63 * 86_400, '2 months ago'],
])('a time %i seconds from now is written with the units of durations: %j', (seconds, text) => {
  expect(relativeTime(seconds * 1000, 0)).toBe(text)
})
