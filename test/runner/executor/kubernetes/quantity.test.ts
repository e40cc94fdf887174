import { expect, test } from 'vitest'

import { isMore, parseQuantity } from '../../../../src/runner/executor/kubernetes/quantity.js'

test.each([
  ['1', '1000m'],
  ['0.7', '700m'],
  ['1.5Gi', '1536Mi'],
  ['1k', '1000'],
  ['2e3', '2k'],
  ['100n', '0.0000001'],
  ['1E', '1e18'],
  ['.5', '500m'],
  ['+1.', '1'],
])('the quantities %s and %s are equal', (text, other) => {
  expect(parseQuantity(text)).toBeDefined()
  expect(parseQuantity(text)).toBe(parseQuantity(other))
})

test.each(['', '.', '-1', '1 Gi', '1gi', '0x10', '1e', '1e999', '1KB', '9'.repeat(40)])(
  '"%s" is no quantity',
  (text) => {
    expect(parseQuantity(text)).toBeUndefined()
  },
)

test.each([
  ['1001m', '1', true],
  ['1', '1', false],
  ['999999999999999999999999999', '1E', true],
  ['1Gi', '1G', true],
])('whether %s is more than %s: %s', (text, other, expected) => {
  expect(isMore(text, other)).toBe(expected)
})
