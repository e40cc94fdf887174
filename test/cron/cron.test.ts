import { expect, test } from 'vitest'

import { isCron, isTimeZone, nextRun, nextRuns, previousRun } from '../../src/cron/cron.js'
import { NAMED_ZONES } from '../../src/cron/zone-names.js'

test.each([
  ['0 4 * * *', 'UTC', '2026-06-01T03:59:59Z', '2026-06-01T04:00:00Z'],
  ['0 4 * * *', 'UTC', '2026-06-01T04:00:00Z', '2026-06-02T04:00:00Z'],
  ['0 4 * * *', 'Europe/Berlin', '2026-06-01T00:00:00Z', '2026-06-01T02:00:00Z'],
  ['0 4 * * *', 'Eastern Time (US & Canada)', '2026-01-01T00:00:00Z', '2026-01-01T09:00:00Z'],
  ['0 4 * * *', 'America/New_York', '2026-01-01T00:00:00Z', '2026-01-01T09:00:00Z'],
  ['*/15 * * * *', 'UTC', '2026-06-01T00:01:00Z', '2026-06-01T00:15:00Z'],
  ['0 0 * * 7', 'UTC', '2026-06-01T00:00:00Z', '2026-06-07T00:00:00Z'],
  ['0 0 * * SUN', 'UTC', '2026-06-01T00:00:00Z', '2026-06-07T00:00:00Z'],
  // Either the day of the month or the day of the week, as ever in cron.
  ['0 0 13 * 5', 'UTC', '2026-06-01T00:00:00Z', '2026-06-05T00:00:00Z'],
  ['0 0 29 2 *', 'UTC', '2026-06-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['@daily', 'UTC', '2026-06-01T12:00:00Z', '2026-06-02T00:00:00Z'],
  // The clocks are put forward at 2:00, and back at 3:00.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
])('%s in %s comes after %s at %s', (cron, timeZone, after, next) => {
  expect(new Date(nextRun(cron, timeZone, Date.parse(after))!)).toEqual(new Date(next))
})

test.each([
  ['0 4 * * *', 'UTC', '2026-06-01T04:00:00.000Z', '2026-06-01T04:00:00Z'],
  ['0 4 * * *', 'UTC', '2026-06-01T04:00:30.500Z', '2026-06-01T04:00:00Z'],
  ['0 4 * * *', 'UTC', '2026-06-01T03:59:59.999Z', '2026-05-31T04:00:00Z'],
  ['0 23 * * 5', 'Europe/Berlin', '2026-06-06T12:00:00Z', '2026-06-05T21:00:00Z'],
  ['0 0 29 2 *', 'UTC', '2026-06-01T00:00:00Z', '2024-02-29T00:00:00Z'],
])('%s in %s comes last before %s at %s', (cron, timeZone, at, last) => {
  expect(new Date(previousRun(cron, timeZone, Date.parse(at))!)).toEqual(new Date(last))
})

test('the next times follow each other', () => {
  const times = nextRuns('30 4 * * 1-5', 'Europe/Berlin', Date.parse('2026-06-05T00:00:00Z'), 3)
  expect(times.map((time) => new Date(time).toISOString())).toEqual([
    '2026-06-05T02:30:00.000Z',
    '2026-06-08T02:30:00.000Z',
    '2026-06-09T02:30:00.000Z',
  ])
  expect(nextRuns('0 0 30 2 *', 'UTC', 0, 3)).toEqual([])
  expect(nextRuns('never', 'UTC', 0, 3)).toEqual([])
})

test('a day that no month has never comes', () => {
  expect(nextRun('0 0 30 2 *', 'UTC', Date.parse('2026-06-01T00:00:00Z'))).toBeUndefined()
})

test.each(['', 'x', '* * * *', '0 0 0 * * *', '61 * * * *', '* * * * 8', '2026-12-01T00:00:00', '@reboot'])(
  'the text "%s" is no cron expression',
  (text) => {
    expect(isCron(text)).toBe(false)
  },
)

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['Berlin', true],
  ['Pacific Time (US & Canada)', true],
  ['Nowhere/Town', false],
  ['Nowhere', false],
  ['', false],
])('whether "%s" is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})

test('every zone that has another name is known', () => {
  expect([...NAMED_ZONES.values()].filter((zone) => !isTimeZone(zone))).toEqual([])
})
