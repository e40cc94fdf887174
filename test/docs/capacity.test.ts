import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { withModel } from '../../scripts/capacity/model.mjs'

const PAGE = readFileSync('docs/capacity.md', 'utf8')

/** The cells of a row of the second table, for 1,000 and twice 100,000 jobs a day, and for 10 million. */
function cellsOf(page: string, row: string): string[] {
  const line = page.split('\n').find((text) => text.startsWith(`| ${row} `))
  return (line ?? '')
    .split('|')
    .slice(2, -1)
    .map((cell) => cell.trim())
}

test('the table of days follows from the table of costs', () => {
  expect(withModel(PAGE), 'run node scripts/capacity.mjs').toBe(PAGE)
})

test('a day takes what its jobs cost', () => {
  const changed = withModel(
    PAGE.replace(/^(\| log +\|)[^|]+\|[^|]+\|/m, '$1 50 kB | 20 kB |').replace(
      /^(\| processor: coordinator +\|)[^|]+\|[^|]+\|/m,
      '$1 8 ms | 10 ms |',
    ),
  )
  expect(cellsOf(changed, 'logs, grow each day by')).toEqual(['50 MB', '5 GB', '2 GB', '200 GB'])
  // The busiest hour has 9 % of the jobs: 2.5 and 250 a second.
  expect(cellsOf(changed, 'processors: coordinators')).toEqual(['0.0002', '0.02', '0.025', '2.5'])
})

test('a cost without a number is an error', () => {
  const changed = PAGE.replace(/^(\| processor: coordinator +\|)[^|]+\|/m, '$1 .x |')
  expect(() => withModel(changed)).toThrow('does not begin with a number')
})
