import { expect, test } from 'vitest'

import {
  firstDifference,
  pairSections,
  type Section,
} from '../../src/web/pages/jobs/compare/compare-sections.js'

function section(name: string, depth = 0): Section {
  return {
    name,
    title: name.toUpperCase(),
    first_line: 1,
    last_line: 2,
    started_at: null,
    finished_at: null,
    duration: 1,
    collapsed: false,
    depth,
  }
}

test('sections of one name are side by side, in the order of the later attempt', () => {
  const before = ['prepare', 'cache', 'script', 'script'].map((name) => section(name))
  const after = [section('script'), section('inner', 1), section('prepare'), section('upload')]
  const names = pairSections(before, after).map((pair) => [pair.title, pair.before?.name, pair.after?.name])
  expect(names).toEqual([
    ['SCRIPT', 'script', 'script'],
    ['PREPARE', 'prepare', 'prepare'],
    ['UPLOAD', undefined, 'upload'],
    ['CACHE', 'cache', undefined],
    ['SCRIPT', 'script', undefined],
  ])
})

test.each([
  [['a', 'b'], ['a', 'c'], 1],
  [['took 1.5 s at 12:30:01'], ['took 20 s at 09:00:59'], undefined],
  [['took 250ms'], ['took 1ms'], undefined],
  [['Checking out 3f2a1c9e as main'], ['Checking out 0bd1c9eaa as main'], undefined],
  [['a '], ['a'], undefined],
  [['a'], ['a', 'b'], undefined],
  [['deadline'], ['deadbeef'], 0],
])('the first difference of %j and %j is %j', (before, after, index) => {
  expect(firstDifference(before, after)).toBe(index)
})
