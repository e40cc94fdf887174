import { describe, expect, test } from 'vitest'

import { parseRegexLiteral } from '../../../../../src/ci-config/expressions/regex-literal.js'
import { coverageOfLine } from '../../../../../src/coordinator/ci/engine/reports/coverage-of-line.js'

function find(literal: string, line: string): number | undefined {
  const regex = parseRegexLiteral(literal)
  if (!regex || regex === 'invalid') throw new Error(`${literal} is no expression`)
  return coverageOfLine(regex, line)
}

describe('the coverage that a line tells', () => {
  test.each([
    ['/TOTAL.*\\s+(\\d+%)$/', 'TOTAL      120     6    95%', 95],
    ['/Code coverage: \\d+\\.\\d+/', 'Code coverage: 87.25 of all', 87.25],
    ['/TOTAL.*\\s+(\\d+%)$/', 'TOTAL 95%\r', 95],
    ['/TOTAL.*\\s+(\\d+%)$/', 'TOTAL 95%\u001b[0m\r', 95],
    // The last match counts, and in it the first group that holds something.
    ['/(\\d+)%/', 'lines 80%, branches 70%', 70],
    ['/lines: (\\d*)(?:\\.|none)(\\d+)/', 'lines: none42', 42],
    ['/a(b)?c: \\d+/', 'ac: 17', 17],
    ['/(\\d+\\.\\d+)/', 'coverage: \u001b[32m99.5\u001b[0m%', 99.5],
    ['/^coverage: (\\d+)/', '\u001b[0;1mcoverage: 12', 12],
    ['/COVERAGE (\\d+)/i', 'coverage 3', 3],
    // Of the text that was matched, the first number.
    ['/covered.*/', 'covered 12 of 34', 12],
    ['/coverage: (.*)/', 'coverage: none', undefined],
    ['/coverage: (.*)/', 'uncovered', undefined],
    ['/\\d+/', '9'.repeat(400), undefined],
  ])('%s in %j', (literal, line, coverage) => {
    expect(find(literal, line)).toBe(coverage)
  })
})
