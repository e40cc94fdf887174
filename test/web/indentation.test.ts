import { expect, test } from 'vitest'

import { indentationOf, indentBelowKey } from '../../src/web/editor/indentation.js'

test.each([
  ['', '  '],
  ['a\nb', '  '],
  ['a:\n  b:\n    c: 1\n', '  '],
  ['def a():\n    if b:\n        c()\n', '    '],
  ['a:\n\tb\n\tc\n', '\t'],
])('the indentation of %j', (text, indentation) => {
  expect(indentationOf(text)).toBe(indentation)
})

test.each([
  ['test:', 2],
  ['  rules: # when', 4],
  ['    - changes:', 8],
  ['  script: make', undefined],
  ['# test:', undefined],
  ['', undefined],
])('what follows %j is indented', (line, columns) => {
  expect(indentBelowKey(line, 2)).toBe(columns)
})
