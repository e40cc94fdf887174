import { expect, test } from 'vitest'

import { readSettings } from '../../../src/runner/config/read-settings.js'

function diskSettings(disk?: Record<string, unknown>) {
  const { settings, warnings } = readSettings({ ...(disk && { disk }), runners: [] }, 'config.toml', {})
  return { disk: settings.disk, warnings }
}

test('by default nothing is deleted from a disk, and a full disk accepts no jobs', () => {
  const defaults = { marks: undefined, floorBytes: 256 * 1024 ** 2, intervalSeconds: 300 }
  expect(diskSettings()).toEqual({ disk: defaults, warnings: [] })
  expect(diskSettings({})).toEqual({ disk: defaults, warnings: [] })
})

test('high mark, low mark, floor and interval are read', () => {
  expect(diskSettings({ high: '80%', low: '60%', floor: '0', check_interval: '1m' }).disk).toEqual({
    marks: { high: { kind: 'fullness', part: 0.8 }, low: { kind: 'fullness', part: 0.6 } },
    floorBytes: 0,
    intervalSeconds: 60,
  })
  expect(diskSettings({ high: '50g' }).disk?.marks).toEqual({
    high: { kind: 'amount', bytes: 50 * 1024 ** 3 },
    low: { kind: 'amount', bytes: 40 * 1024 ** 3 },
  })
  expect(diskSettings({ hihg: '50g' }).warnings).toEqual(['disk.hihg is not a known setting'])
})

test.each([
  [
    { high: 'much' },
    'disk.high must be a fraction of the disk such as "80%", or a size such as "50g", not "much"',
  ],
  [{ low: '50%' }, 'disk.low needs a "high" mark that is greater'],
  [{ high: '50%', low: '60%' }, 'disk.low must be of the same kind as "high", and less'],
  [{ high: '50%', low: '1g' }, 'disk.low must be of the same kind as "high", and less'],
  [{ floor: 'some' }, 'disk.floor must be a size'],
])('%j is rejected', (disk, message) => {
  expect(() => diskSettings(disk)).toThrow(message)
})
