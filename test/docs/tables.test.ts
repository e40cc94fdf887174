import { expect, test } from 'vitest'

import { textFiles } from './text-files.js'

/** The row below the heading of a table. */
const RULE = /^\|(?: *:?-+:? *\|)+$/

test('tables of documents have one heading each', () => {
  const twice = textFiles('docs', '.md').flatMap(({ path, text }) => {
    let rules = 0
    return text.split('\n').flatMap((line, index) => {
      rules = line.startsWith('|') ? rules + Number(RULE.test(line)) : 0
      return rules > 1 && RULE.test(line) ? [`${path}:${index + 1}`] : []
    })
  })
  expect(twice).toEqual([])
})
