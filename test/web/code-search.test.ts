import { expect, test } from 'vitest'

import { filesOf, firstHit } from '../../src/web/pages/code/search/find-hits.js'

/** `[hit]` stands for what is marked. */
function shown(search: string, line: string): string {
  const [file] = filesOf([{ path: 'a', startline: 1, data: `${line}\n` }], search)
  const parts = file?.runs[0]?.[0]?.parts ?? []
  return parts.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join('')
}

test.each([
  ['err', 'Error: err', '[Err]or: [err]'],
  ['a.b(', 'a.b( axb(', '[a.b(] axb('],
  ['path:src *.ts err', '*.ts err', '[*.ts err]'],
  ['-extension:md x', 'x', '[x]'],
  ['filename:*.md', 'x', 'x'],
  ['İ', 'İİx', '[İ][İ]x'],
  ['\\', '\\n', '[\\]n'],
])('a search for %j marks its hits in %j', (search, line, marked) => {
  expect(shown(search, line)).toBe(marked)
})

test('what is found is grouped by file, with the numbers of its lines', () => {
  const files = filesOf(
    [
      { path: 'a', startline: 3, data: 'one\ntwo\n' },
      { path: 'a', startline: 9, data: '\nTWO\n' },
      { path: 'b', startline: 1, data: 'two\n' },
    ],
    'two',
  )
  expect(
    files.map(({ path, runs }) => [path, runs.map((lines) => lines.map(({ number }) => number))]),
  ).toEqual([
    [
      'a',
      [
        [3, 4],
        [9, 10],
      ],
    ],
    ['b', [[1]]],
  ])
  expect(files.map(firstHit)).toEqual([4, 1])
})

test('a search for files alone leads to their first lines', () => {
  const [file] = filesOf([{ path: 'a.md', startline: 1, data: '# A\n' }], 'extension:md')
  expect(file && firstHit(file)).toBe(1)
})
