import { expect, test } from 'vitest'

import {
  matchesFile,
  pathspecOf,
  readFileQuery,
} from '../../../../src/coordinator/planning/search/file-query.js'

test('words with a known name and a colon are filters, all others the text', () => {
  expect(readFileQuery('let x: filename:*.ts -path:test extension:md  size:1 path:')).toEqual({
    text: 'let x:  size:1 path:',
    filters: [
      { name: 'filename', pattern: '*.ts', isExcluded: false },
      { name: 'path', pattern: 'test', isExcluded: true },
      { name: 'extension', pattern: 'md', isExcluded: false },
    ],
  })
})

test.each([
  ['filename:a.md', ['a.md', 'x/A.md'], ['b.md', 'xa.md', 'a.md/b']],
  ['filename:*.test.*', ['x/a.test.ts', '.test.'], ['a.ts']],
  ['filename:a*a', ['aa', 'aba'], ['a', 'ab']],
  ['path:src', ['src/a', 'x/Src', 'a/src/b'], ['a']],
  ['path:a/*/c', ['a/b/c', 'xa/b/cx'], ['a/c']],
  ['extension:ts', ['a.ts', 'b/c.TS'], ['a.tsx', 'ts/a']],
  ['extension:.ts', ['a.ts'], ['a.js']],
  ['-extension:ts', ['a.js'], ['a.ts']],
  ['path:src -filename:*.md extension:ts', ['src/a.ts'], ['src/a.md', 'a.ts']],
])('%s selects files', (search, selected, others) => {
  const query = readFileQuery(search)
  expect([...selected, ...others].filter((path) => matchesFile(query, path))).toEqual(selected)
})

test('the first filter is a pattern for git, in which only the star is special', () => {
  expect(pathspecOf(readFileQuery('x -path:a filename:a[b]?\\*.md'))).toBe(
    ':(glob,icase)**/a\\[b\\]\\?\\\\*.md',
  )
  expect(pathspecOf(readFileQuery('x path:a'))).toBe(':(icase)*a*')
  expect(pathspecOf(readFileQuery('x extension:.ts'))).toBe(':(glob,icase)**/*.ts')
  expect(pathspecOf(readFileQuery('x -path:a'))).toBeUndefined()
})
