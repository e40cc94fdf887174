import { expect, test } from 'vitest'

import { HOLD_DEFAULTS } from '../../../src/runner/config/hold-settings.js'
import { readSettings } from '../../../src/runner/config/read-settings.js'

function settingsOf(tables: Record<string, unknown> = {}) {
  const { settings, warnings } = readSettings({ ...tables, runners: [] }, 'config.toml', {})
  return { hold: settings.hold, terminals: settings.areTerminalsEnabled, warnings }
}

test('by default two jobs are held for half an hour, and no shells are opened', () => {
  expect(settingsOf()).toEqual({ hold: HOLD_DEFAULTS, terminals: false, warnings: [] })
})

test('all keys are read', () => {
  const hold = {
    enabled: false,
    max_jobs: 5,
    time: '10m',
    max_time: '1h',
    keep_slot: true,
    min_free_disk: '0',
  }
  expect(settingsOf({ hold, terminal: { enabled: true } })).toEqual({
    hold: { isEnabled: false, maxJobs: 5, seconds: 600, maxSeconds: 3600, keepsSlot: true, minFreeBytes: 0 },
    terminals: true,
    warnings: [],
  })
  expect(settingsOf({ hold: { max_time: '5m' } }).hold).toMatchObject({ seconds: 300, maxSeconds: 300 })
})

test.each([
  [{ time: '5h' }, 'hold.time must not be longer than "max_time"'],
  [{ max_jobs: 0 }, 'hold.max_jobs must be a whole number of at least 1'],
  [{ min_free_disk: 'some' }, 'hold.min_free_disk must be a size'],
])('%j is rejected', (hold, message) => {
  expect(() => settingsOf({ hold })).toThrow(message)
})
