import { expect, test } from 'vitest'

import type { AutoscalerPolicy } from '../../../../src/runner/executor/docker/autoscaler/model/settings.js'
import {
  activePolicy,
  idleTarget,
  NO_POLICY,
} from '../../../../src/runner/executor/docker/autoscaler/policy/active-policy.js'

function policy(changes: Partial<AutoscalerPolicy> = {}): AutoscalerPolicy {
  return { ...NO_POLICY, periods: ['* * * * *'], ...changes }
}

const ALWAYS = policy({ idleCount: 1 })
const WORKING_HOURS = policy({ idleCount: 5, periods: ['* 7-18 * * mon-fri'], timezone: 'Europe/Berlin' })
const TWO_PERIODS = policy({ idleCount: 9, periods: ['0-29 12 * * *', '* 13 * * *'] })

test.each([
  // 2026-06-05 is a Friday. Berlin is two hours ahead of UTC.
  ['the last policy that matches applies', [ALWAYS, WORKING_HOURS], '2026-06-05T05:00:00Z', 5],
  ['the first second of a period counts', [ALWAYS, WORKING_HOURS], '2026-06-05T05:00:00.000Z', 5],
  ['the time before a period does not count', [ALWAYS, WORKING_HOURS], '2026-06-05T04:59:59.999Z', 1],
  ['the last minute of a period counts as a whole', [ALWAYS, WORKING_HOURS], '2026-06-05T16:59:59.999Z', 5],
  ['the minute after a period does not count', [ALWAYS, WORKING_HOURS], '2026-06-05T17:00:00Z', 1],
  ['days outside the period do not count', [ALWAYS, WORKING_HOURS], '2026-06-06T10:00:00Z', 1],
  ['a later policy hides an earlier one', [WORKING_HOURS, ALWAYS], '2026-06-05T10:00:00Z', 1],
  ['one of several periods is enough', [TWO_PERIODS], '2026-06-05T13:59:00Z', 9],
  ['without a match, nothing is kept', [TWO_PERIODS], '2026-06-05T12:30:00Z', 0],
  ['without a policy, nothing is kept', [], '2026-06-05T12:00:00Z', 0],
])('%s', (_, policies, at, idleCount) => {
  expect(activePolicy(policies, Date.parse(at)).idleCount).toBe(idleCount)
})

test('a period follows the change to winter time', () => {
  const night = policy({ idleCount: 3, periods: ['* 2 * * *'], timezone: 'Europe/Berlin' })
  const idleAt = (at: string) => activePolicy([night], Date.parse(at)).idleCount
  // The hour from 2:00 to 3:00 occurs twice on this day.
  const times = ['2026-10-25T00:10:00Z', '2026-10-25T01:10:00Z', '2026-10-25T02:10:00Z']
  expect(times.map(idleAt)).toEqual([3, 3, 0])
})

test.each([
  [{ idleCount: 2 }, 10, 2],
  [{ idleCount: 2, scaleFactor: 0.5 }, 10, 5],
  [{ idleCount: 2, scaleFactor: 0.5 }, 3, 2],
  [{ idleCount: 2, scaleFactor: 0.5 }, 5, 3],
  [{ idleCount: 2, scaleFactor: 0.5, scaleFactorLimit: 4 }, 100, 4],
  [{ idleCount: 6, scaleFactor: 0.5, scaleFactorLimit: 4 }, 100, 6],
  [{ idleCount: 0, scaleFactor: 1 }, 0, 0],
])('%j with %d running jobs keeps room for %d', (changes, jobs, target) => {
  expect(idleTarget(policy(changes), jobs)).toBe(target)
})
