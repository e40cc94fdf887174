import type { Database } from '../database/connect.js'
import { onlineSince } from './online.js'
import { loadRunnerProfiles } from './runner-profile.js'
import type { KnownRunner } from './why-it-waits.js'

/** Every runner of the store, those that are paused or offline too. */
export async function findKnownRunners(database: Database, now: number): Promise<KnownRunner[]> {
  const rows = await database.selectFrom('runner').selectAll().execute()
  const profiles = await loadRunnerProfiles(database, rows)
  const leases = await database.selectFrom('lease').select('runner_id').distinct().execute()
  const withJobs = new Set(leases.map(({ runner_id }) => runner_id))
  const lastContacts = new Map(rows.map(({ id, contacted_at }) => [id, contacted_at ?? -Infinity]))
  const since = onlineSince(now)
  return profiles.map((profile) => ({
    profile,
    isOnline: (lastContacts.get(profile.runnerId) ?? -Infinity) > since,
    hasJob: withJobs.has(profile.runnerId),
  }))
}
