import { expect, test } from 'vitest'

import { matchesWildcards } from '../../src/web/frame/broadcast-path.js'

test.each([
  ['', '/', true],
  ['*', '/group/app', true],
  ['/group/app', '/Group/App', true],
  ['group/app', '/group/app', true],
  ['/group', '/group/app', false],
  ['/group/*', '/group/app/-/jobs', true],
  ['*/-/pipelines', '/group/app/-/pipelines', true],
  ['*/-/pipelines', '/group/app/-/pipelines/1', false],
  ['/group/*/-/*s', '/group/app/-/jobs', true],
  ['/a*a', '/a', false],
  ['/a.c', '/abc', false],
  ['*a*b*', '/ba', false],
] as const)('the pattern "%s" and the path "%s": %s', (pattern, path, expected) => {
  expect(matchesWildcards(pattern, path)).toBe(expected)
})
