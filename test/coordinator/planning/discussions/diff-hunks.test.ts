import { expect, test } from 'vitest'

import {
  hunksOf,
  lineAfter,
  lineBefore,
  numbersOf,
} from '../../../../src/coordinator/planning/discussions/diff-hunks.js'

/** Line 2 replaced by two lines, a line added after line 4, lines 6 and 7 removed. */
const DIFF = `@@ -2 +2,2 @@
-b
+B
+BB
@@ -4,0 +6 @@ fn()
+e
@@ -6,2 +7,0 @@
-f
-g
`

test('an unchanged line has a number on each side of a diff, a changed line on one', () => {
  const hunks = hunksOf(DIFF)
  const after = [1, 2, 3, 4, 5, 6, 7, 8].map((line) => lineAfter(hunks, line))
  expect(after).toEqual([1, undefined, 4, 5, 7, undefined, undefined, 8])
  const before = [1, 2, 3, 4, 5, 6, 7, 8].map((line) => lineBefore(hunks, line))
  expect(before).toEqual([1, undefined, undefined, 3, 4, undefined, 5, 8])
})

test('a changed line is counted with the number of the next line on the other side', () => {
  const hunks = hunksOf(DIFF)
  expect(numbersOf(hunks, { newLine: 3 })).toEqual({ oldLine: 3, newLine: 3 })
  expect(numbersOf(hunks, { newLine: 6 })).toEqual({ oldLine: 5, newLine: 6 })
  expect(numbersOf(hunks, { oldLine: 7 })).toEqual({ oldLine: 7, newLine: 8 })
  expect(numbersOf(hunks, { newLine: 8 })).toEqual({ oldLine: 8, newLine: 8 })
})
