import type { Database, DialectName } from '../../database/connect.js'
import { findSettings, raiseSetting } from '../../database/stores/instance-setting-store.js'
import { extendLeases, type LeaseSettings } from './lease.js'

/**
 * Records when coordinators were reachable. Silence of a runner while all coordinators were stopped,
 * suspended or without database access says nothing about the runner.
 *
 *     present ── again within three intervals ──▶ present
 *       └── later: no coordinator was present ──▶ all leases are extended, present since now
 *
 * Any coordinator on the same store writes the record, so starting one more coordinator changes nothing.
 */
interface Presence {
  /** When a coordinator last recorded its presence. */
  seenAt: number
  /** Start of the current period without a gap. */
  upSince: number
}

export interface PresenceDeps {
  database: Database
  dialect: DialectName
  lease: LeaseSettings
}

/** Names in `instance_setting`; the values are milliseconds since 1970. */
const SEEN_AT = 'coordinators_seen_at'
const UP_SINCE = 'coordinators_up_since'

const MAX_INTERVAL_SECONDS = 5
/** Runs that may fail or be late before the coordinators count as absent. */
const MISSED_TURNS = 3

/** Seconds from one sign of presence to the next: a small part of the shortest lease. */
export function presenceInterval({ firstContactSeconds, seconds }: LeaseSettings): number {
  return Math.min(MAX_INTERVAL_SECONDS, firstContactSeconds / 10, seconds / 10)
}

/**
 * Records the presence of this coordinator. If none was present before, extends every lease to its full
 * duration first.
 */
export async function recordPresence(deps: PresenceDeps, now = Date.now()): Promise<void> {
  const { database, dialect, lease } = deps
  // The clocks of several coordinators may differ, so a time is never set back.
  if (wereAway(await readPresence(database), lease, now)) {
    await extendLeases(database, dialect, lease, now)
    await raiseSetting(database, UP_SINCE, now)
  }
  await raiseSetting(database, SEEN_AT, now)
}

/** Whether coordinators have been present without a gap for this duration, and still are. */
export async function areUpFor(
  { database, lease }: Pick<PresenceDeps, 'database' | 'lease'>,
  milliseconds: number,
  now: number,
): Promise<boolean> {
  const presence = await readPresence(database)
  return !wereAway(presence, lease, now) && now - presence.upSince >= milliseconds
}

function wereAway({ seenAt }: Presence, lease: LeaseSettings, now: number): boolean {
  return now - seenAt > MISSED_TURNS * presenceInterval(lease) * 1000
}

/** Since when at least one coordinator has been present without a gap; undefined before the first record. */
export async function upSince(database: Database): Promise<number | undefined> {
  const { upSince } = await readPresence(database)
  return Number.isFinite(upSince) ? upSince : undefined
}

async function readPresence(database: Database): Promise<Presence> {
  const values = await findSettings(database, [SEEN_AT, UP_SINCE])
  const time = (key: string) => Number(values.get(key) ?? -Infinity)
  return { seenAt: time(SEEN_AT), upSince: time(UP_SINCE) }
}
