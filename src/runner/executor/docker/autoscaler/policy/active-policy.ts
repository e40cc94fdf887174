import { isMinuteOf } from '../../../../../cron/cron.js'
import { MINUTE } from '../../../../../lib/time-units.js'
import type { AutoscalerPolicy } from '../model/settings.js'

/** The values of a minute that no policy covers: machines exist only for jobs. */
export const NO_POLICY: AutoscalerPolicy = {
  periods: [],
  timezone: 'UTC',
  idleCount: 0,
  idleTime: 5 * MINUTE,
  scaleFactor: 0,
  scaleFactorLimit: 0,
  preemptiveMode: false,
}

/** The policy that applies at `now`, in milliseconds since 1970: the last one with a period that contains the minute. */
export function activePolicy(policies: readonly AutoscalerPolicy[], now: number): AutoscalerPolicy {
  return (
    policies.findLast(({ periods, timezone }) =>
      periods.some((period) => isMinuteOf(period, timezone, now)),
    ) ?? NO_POLICY
  )
}

/** Jobs for which capacity is to be free while `jobs` run. `scaleFactor` raises the number from `idleCount` to its limit. */
export function idleTarget(policy: AutoscalerPolicy, jobs: number): number {
  const { idleCount, scaleFactor, scaleFactorLimit } = policy
  const scaled = Math.ceil(jobs * scaleFactor)
  return Math.max(idleCount, scaleFactorLimit > 0 ? Math.min(scaled, scaleFactorLimit) : scaled)
}
