import fc from 'fast-check'
import { expect, test } from 'vitest'

import { styleAfter } from '../../../../../src/coordinator/ci/storage/trace-index/text-style.js'
import { fuzzRuns } from '../../../../support/fuzz-runs.js'

test.each([
  ['text', ''],
  ['\x1b[31mred', '31'],
  ['\x1b[1;31mbold and red', '1;31'],
  ['\x1b[31m\x1b[1m\x1b[32m', '1;32'],
  ['\x1b[31mred\x1b[0m', ''],
  ['\x1b[31mred\x1b[m', ''],
  ['\x1b[31mred\x1b[0;m', ''],
  ['\x1b[31mred\x1b[0;1m', '1'],
  ['\x1b[1;2;3;4;9m\x1b[22m', '3;4;9'],
  ['\x1b[31;41m\x1b[39m', '41'],
  ['\x1b[38;5;208mx\x1b[48;2;1;2;3m', '38;5;208;48;2;1;2;3'],
  ['\x1b[38:2::1:2:3m', '38:2::1:2:3'],
  ['\x1b[4:3m\x1b[58;5;1m', '4:3;58;5;1'],
  ['\x1b[4:3m\x1b[4:0m', ''],
  ['\x1b[95;106m', '95;106'],
  ['\x1b[38m', ''],
  ['\x1b[31m\x1b[0K\x1b[2J', '31'],
  ['\x1b[10;999m', ''],
])('after %j the style is %j', (text, style) => {
  expect(styleAfter(text)).toBe(style)
})

test('the style of two texts is that of the second one after the first one', () => {
  const code = fc.constantFrom('0', '', '1', '22', '31', '39', '4', '38;5;7', '48;2;1;2;3', '4:3', '999')
  const text = fc.array(
    fc.array(code, { minLength: 1, maxLength: 3 }).map((codes) => `\x1b[${codes.join(';')}mx`),
  )
  fc.assert(
    fc.property(text, text, (first, second) => {
      const [one, other] = [first.join(''), second.join('')]
      expect(styleAfter(other, styleAfter(one))).toBe(styleAfter(one + other))
    }),
    fuzzRuns(100),
  )
})
