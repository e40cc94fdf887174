import { expect, test } from 'vitest'

import { LineEscape } from '../../../src/cli/commands/shell/line-escape.js'

test.each<[typed: string[], passed: string, leaves: boolean]>([
  [['~.'], '', true],
  [['~', '.'], '', true],
  [['ls\r~.more'], 'ls\r', true],
  [['ls', '\r', '~', '.'], 'ls\r', true],
  [['ls ~.\r'], 'ls ~.\r', false],
  [['~~.'], '~.', false],
  [['~/bin\r'], '~/bin\r', false],
  [['~', '\r', '~.'], '~\r', true],
  [['~'], '', false],
  [['é\n'], 'é\n', false],
])('of the keys %j, %j reach the shell; the person leaves: %s', (typed, passed, leaves) => {
  const escape = new LineEscape()
  const taken = typed.map((keys) => escape.take(Buffer.from(keys)))
  expect(Buffer.concat(taken.map((part) => part.passed)).toString()).toBe(passed)
  expect(taken.at(-1)?.leaves).toBe(leaves)
})
