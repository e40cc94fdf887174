import { expect, test } from 'vitest'

import { matchesRefPattern } from '../../src/git/ref-pattern.js'

test.each([
  ['main', 'main', true],
  ['main', 'mains', false],
  ['*', 'anything/at/all', true],
  ['*', '', true],
  ['release/*', 'release/1/2', true],
  ['release/*', 'release', false],
  ['*-stable', '1-0-stable', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'acb', false],
  ['ab*ba', 'aba', false],
  ['a*ab', 'aab', true],
  ['v.*', 'vx', false],
])('%j and %j: %j', (pattern, name, expected) => {
  expect(matchesRefPattern(pattern, name)).toBe(expected)
})
