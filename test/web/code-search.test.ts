import { expect, test } from 'vitest'

import { excerptAround, filesOf, firstHit } from '../../src/web/code/find-hits.js'

const BLOB = { project_id: 1, ref: 'main' }

/** `[hit]` stands for what is marked. */
function shown(search: string, line: string): string {
  const [file] = filesOf([{ ...BLOB, path: 'a', startline: 1, data: `${line}\n` }], search)
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
      { ...BLOB, path: 'a', startline: 3, data: 'one\ntwo\n' },
      { ...BLOB, path: 'a', startline: 9, data: '\nTWO\n' },
      { ...BLOB, path: 'b', startline: 1, data: 'two\n' },
      { ...BLOB, project_id: 2, path: 'b', startline: 1, data: 'two\n' },
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
    ['b', [[1]]],
  ])
  expect(files.map(firstHit)).toEqual([4, 1, 1])
})

test('a search for files alone leads to their first lines', () => {
  const [file] = filesOf([{ ...BLOB, path: 'a.md', startline: 1, data: '# A\n' }], 'extension:md')
  expect(file && firstHit(file)).toBe(1)
})

test.each([
  ['Short.', 'SHORT', 'Short.'],
  ['Nothing here', 'absent', undefined],
  ['a\n\nhit  here', 'hit here', 'a hit here'],
  [`${'word '.repeat(40)}hit ${'word '.repeat(80)}`, 'hit', /^… (word ){12}hit (word )+w …$/],
])('a long text is shown around its first hit: %j', (text, search, expected) => {
  const excerpt = excerptAround(text, search)
  if (expected instanceof RegExp) expect(excerpt).toMatch(expected)
  else expect(excerpt).toBe(expected)
})
