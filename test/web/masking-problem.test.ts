import { expect, test } from 'vitest'

import { maskingProblem } from '../../src/web/records/masking-problem.js'

test('a value that cannot be masked is refused with the reason, as the API refuses it', () => {
  expect(maskingProblem('a+value/of@9', true)).toBeUndefined()
  expect(maskingProblem('short', false)).toContain('at least 8 characters')
  expect(maskingProblem('two words of text', false)).toContain('no spaces')
  expect(maskingProblem('line-one\nline-two', false)).toContain('one line')
  expect(maskingProblem('pa$$word!', true)).toContain('"$"')
  expect(maskingProblem('pa$$word!', false)).toBeUndefined()
})
