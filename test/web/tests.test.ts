import { expect, test } from 'vitest'

import { testCasesPath, testCount } from '../../src/web/pages/pipelines/test-summary.js'

test.each([
  [{ count: 8120, failed: 2, error: 1 }, '3 failed'],
  [{ count: 8120, failed: 0, error: 0 }, '8,120'],
  [{ count: 0, failed: 0, error: 0 }, undefined],
])('the tab of the tests for %j', (counts, shown) => {
  const total = { time: 1, success: 0, skipped: 0, suite_error: null, ...counts }
  expect(testCount({ total, test_suites: [] })).toBe(shown)
})

test('the tests of a pipeline in the API', () => {
  expect(testCasesPath('a/b', 3)).toBe('/projects/a%2Fb/pipelines/3/test_cases')
})
