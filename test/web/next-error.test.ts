import { expect, test } from 'vitest'

import { nextErrorLine } from '../../src/web/log/next-error.js'

const ERRORS = [4, 9]
const find = (from: number) => Promise.resolve(ERRORS.find((line) => line >= from))

test.each([
  { after: 0, failingLine: null, next: 4 },
  { after: 4, failingLine: null, next: 9 },
  { after: 9, failingLine: null, next: 4 },
  { after: 4, failingLine: 9, next: 9 },
  // The last text of a program whose message has no known form.
  { after: 4, failingLine: 6, next: 6 },
  { after: 6, failingLine: 6, next: 9 },
  { after: 9, failingLine: 20, next: 20 },
  { after: 20, failingLine: 20, next: 4 },
])('the next error after line $after is line $next if $failingLine says why', async ({ next, ...where }) => {
  expect(await nextErrorLine({ ...where, find })).toBe(next)
})

test('a log without errors leads to the line that says why, or nowhere', async () => {
  const none = () => Promise.resolve(undefined)
  expect(await nextErrorLine({ after: 7, failingLine: 3, find: none })).toBe(3)
  expect(await nextErrorLine({ after: 7, failingLine: null, find: none })).toBeUndefined()
})
