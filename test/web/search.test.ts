import { expect, test } from 'vitest'

import { chooseScope, type Scope } from '../../src/web/pages/search/scopes.js'

const SCOPES: Scope[] = ['projects', 'blobs', 'issues']

test.each([
  ['what the address names', 'blobs', { projects: 3 }, 'blobs'],
  ['the first one until it is counted', null, { issues: 2 }, 'projects'],
  ['the first one with results', null, { projects: 0, issues: 2 }, 'issues'],
  ['records rather than files', null, { projects: 0, blobs: 5, issues: 2 }, 'issues'],
  ['files if there are no records', null, { projects: 0, blobs: 5, issues: 0 }, 'blobs'],
  ['the first one if none has results', 'other', { projects: 0, issues: 0 }, 'projects'],
])('The search shows %s', (_, given, numbers, shown) => {
  const counts = Object.fromEntries(Object.entries(numbers).map(([scope, count]) => [scope, { count }]))
  expect(chooseScope(SCOPES, given, counts)).toBe(shown)
})
