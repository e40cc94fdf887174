import { RE2JS } from 're2js'
import { expect, test } from 'vitest'

import { coverageOfLine as onServer } from '../../src/coordinator/ci/engine/reports/coverage-of-line.js'
import { coverageOfLine } from '../../src/web/pages/settings/ci/coverage-of-line.js'

test.each([
  ['TOTAL.+ (\\d+\\.\\d+)%', 'TOTAL   120   20   83.33%', 83.33],
  ['\\d+%', 'lines 12%, branches 34%', 34],
  ['(?i)coverage: (\\d+)', 'COVERAGE: 91 %', 91],
  ['(lines)?: (\\d+)', ': 77', 77],
  ['TOTAL', 'TOTAL without a number', undefined],
  ['TOTAL', 'nothing', undefined],
])('%s finds in "%s" what the server finds', (expression, line, coverage) => {
  expect(coverageOfLine(expression, line)).toBe(coverage)
  expect(onServer(RE2JS.compile(expression), line)).toBe(coverage)
})

test('an expression that only RE2 understands has no number here', () => {
  expect(coverageOfLine('(?P<n>\\d+)%', '12%')).toBeUndefined()
})
