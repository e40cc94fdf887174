import { expect, test } from 'vitest'

import { expandForRunner } from '../../../src/ci-config/variables/runner-list.js'
import type { JobVariable } from '../../../src/protocol/job-payload.js'

type Given = [key: string, value: string, more?: Partial<JobVariable>]

function expandedValues(...given: Given[]): string[] {
  return expandForRunner(given.map(([key, value, more]) => ({ key, value, ...more }))).map(
    ({ value }) => value,
  )
}

test.each<[string, Given[], string[]]>([
  [
    'every way to write a reference',
    [
      ['A', '1'],
      ['B', '$A ${A} %A%'],
    ],
    ['1', '1 1 1'],
  ],
  [
    'a name that is defined later',
    [
      ['B', '$A'],
      ['A', '1'],
    ],
    ['1', '1'],
  ],
  [
    'a chain',
    [
      ['C', '$B!'],
      ['B', '$A?'],
      ['A', '1'],
    ],
    ['1?!', '1?', '1'],
  ],
  [
    'the last of several definitions',
    [
      ['A', '1'],
      ['B', '$A'],
      ['A', '2'],
    ],
    ['1', '2', '2'],
  ],
  ['an unknown name, which stays', [['A', '$X-${Y}-%Z%']], ['$X-${Y}-%Z%']],
  [
    'escapes, which stay',
    [
      ['A', '1'],
      ['B', '$$A %%A%% $${A}'],
    ],
    ['1', '$$A %%A%% $${A}'],
  ],
  [
    'a raw value, which is not expanded',
    [
      ['A', '1'],
      ['B', '$A', { raw: true }],
    ],
    ['1', '$A'],
  ],
  [
    'a reference to a raw value, which stays',
    [
      ['A', '$X', { raw: true }],
      ['B', 'b$A'],
    ],
    ['$X', 'b$A'],
  ],
  [
    'a reference to a file, which stays',
    [
      ['F', 'text', { file: true }],
      ['B', 'at $F'],
    ],
    ['text', 'at $F'],
  ],
  [
    'the text of a file, which is expanded',
    [
      ['A', '1'],
      ['F', 'is $A', { file: true }],
    ],
    ['1', 'is 1'],
  ],
  [
    'itself: the definition before',
    [
      ['PATH', '/bin'],
      ['PATH', '$PATH:/x'],
    ],
    ['/bin', '/bin:/x'],
  ],
  ['itself without one before', [['PATH', '$PATH:/x']], ['$PATH:/x']],
  [
    'a circle, which is cut where it closes',
    [
      ['A', 'a$B'],
      ['B', 'b$A'],
    ],
    ['ab$A', 'b$A'],
  ],
  [
    'a name in the middle of text',
    [
      ['A', '1'],
      ['B', 'x${A}y$A/z'],
    ],
    ['1', 'x1y1/z'],
  ],
  ['no reference at all', [['A', '$ $1 100% ${}']], ['$ $1 100% ${}']],
])('expands %s', (_name, given, values) => {
  expect(expandedValues(...given)).toEqual(values)
})

test('variables that double one another do not grow without bound', () => {
  const doubling = Array.from({ length: 40 }, (_, index): Given => [`V${index + 1}`, `$V${index}$V${index}`])
  const lengths = expandedValues(['V0', 'x'.repeat(100)], ...doubling).map(({ length }) => length)
  expect(Math.max(...lengths)).toBeLessThan(600_000)
})

test('everything but the value stays as it was', () => {
  const variable = { key: 'A', value: '1', public: false, masked: true, file: true }
  expect(expandForRunner([variable])).toEqual([variable])
})
