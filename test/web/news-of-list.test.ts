import { expect, test } from 'vitest'

import { newsOfList } from '../../src/web/planned/news-of-list.js'

const rows = (...ids: number[]) => ids.map((id) => ({ id }))

test.each([
  ['nothing new', rows(3, 2, 1), false, rows(3, 2, 1), 0],
  ['rows above the shown ones', rows(3, 2), true, rows(5, 4, 3), 2],
  ['a row at the end of a list that is shown whole', rows(1, 2), false, rows(1, 2, 3), 1],
  ['no row that has moved up from below the shown ones', rows(3, 2), true, rows(3, 1), 0],
  ['a page that has none of the shown rows', rows(2, 1), true, rows(5, 4), 2],
] as const)('a list has %s', (_title, shown, hasMore, page, unseen) => {
  expect(newsOfList({ rows: shown, hasMore }, page, new Set()).unseen).toBe(unseen)
})

test('shown rows that have changed and are not on the first page any more are read by number', () => {
  const shown = { rows: rows(3, 2, 1), hasMore: false }
  expect(newsOfList(shown, rows(3, 1), new Set([3, 2, 9])).elsewhere).toEqual(rows(2))
})
