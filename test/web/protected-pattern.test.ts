import { describe, expect, it } from 'vitest'

import { isWildcard, patternOf } from '../../src/web/pages/settings/repository/protected-pattern.js'

describe('rules of protected refs', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'main2', false],
    ['release/*', 'release/1.0', true],
    ['release/*', 'x/release/1.0', false],
    ['*-stable', '1.0-stable', true],
    ['v1.0', 'v1x0', false],
    ['a+b(c)', 'a+b(c)', true],
    ['*', 'anything/at/all', true],
  ])('%s and the name %s: %s', (rule, name, matches) => {
    expect(new RegExp(patternOf(rule)).test(name)).toBe(matches)
  })

  it.each([
    ['main', false],
    ['release/*', true],
  ])('%s is a wildcard: %s', (rule, is) => {
    expect(isWildcard(rule)).toBe(is)
  })
})
