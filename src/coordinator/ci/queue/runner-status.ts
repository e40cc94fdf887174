import type { Selectable } from 'kysely'

import { HOUR } from '../../../lib/time-units.js'
import type { RunnerTable } from '../../database/tables/runners.js'
import { onlineSince } from './online.js'

export type RunnerStatus = 'paused' | 'never_contacted' | 'online' | 'offline' | 'stale'

type Facts = Pick<Selectable<RunnerTable>, 'active' | 'contacted_at' | 'created_at'>

const STALE_AFTER = 7 * 24 * HOUR

/** CI language, 14.4; a paused runner shows that first (API, A16). */
export function runnerStatus(runner: Facts, now: number): RunnerStatus {
  return runner.active ? connectionStatus(runner, now) : 'paused'
}

/** The status without regard to `active`. */
export function connectionStatus(
  { contacted_at, created_at }: Omit<Facts, 'active'>,
  now: number,
): Exclude<RunnerStatus, 'paused'> {
  if (contacted_at === null) return 'never_contacted'
  if (isOnline({ contacted_at }, now)) return 'online'
  const isStale = contacted_at <= staleSince(now) && created_at <= staleSince(now)
  return isStale ? 'stale' : 'offline'
}

/**
 * A runner whose last contact and creation are both at or before this time is stale; milliseconds since 1970.
 */
export function staleSince(now: number): number {
  return now - STALE_AFTER
}

export function isOnline({ contacted_at }: Pick<Facts, 'contacted_at'>, now: number): boolean {
  return contacted_at !== null && contacted_at > onlineSince(now)
}
