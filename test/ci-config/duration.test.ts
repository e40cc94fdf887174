import { describe, expect, test } from 'vitest'

import { isExpiry, parseDuration } from '../../src/ci-config/duration.js'

describe('a duration is read', () => {
  test.each([
    ['42', 42],
    ['10 s', 10],
    ['3 mins 4 sec', 184],
    ['2 hrs 20 min', 8400],
    ['2h20min', 8400],
    ['6 mos 1 day', 15_638_400],
    ['47 yrs 6 mos and 4d', 47 * 31_557_600 + 6 * 2_592_000 + 4 * 86_400],
    ['3:41:59', 13_319],
    ['41:59', 2519],
    ['1.5 hours', 5400],
    ['.5 h', 1800],
    ['week', 604_800],
    ['one week', 604_800],
    ['twenty five minutes', 1500],
    ['twenty-five minutes', 1500],
    ['1 week, 2 days', 777_600],
    ['1 week and 2 days plus 3 hours', 788_400],
    ['1 hour with 5', 3605],
    ['1 DAY', 86_400],
    ['  1 month ', 2_592_000],
    ['1 year', 31_557_600],
    ['1 yr 1 mo 1 wk 1 dy 1 hr 1 m 1 secs', 31_557_600 + 2_592_000 + 604_800 + 86_400 + 3600 + 60 + 1],
  ])('%s', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })
})

test.each([
  '',
  '   ',
  'soon',
  '0',
  '0 seconds',
  'never',
  '3 apples',
  '1:2:',
  'a:b',
  '-5 min',
  '1 2 min',
  '5 min!',
  'and',
])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test('an endless text is no duration', () => {
  expect(parseDuration('1 min '.repeat(100_000))).toBeUndefined()
})

test('only an expiry may be never', () => {
  expect([isExpiry('never'), isExpiry('Never'), isExpiry('1 day'), isExpiry('nevermore')]).toEqual([
    true,
    true,
    true,
    false,
  ])
})
