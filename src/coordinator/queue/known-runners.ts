import type { Database } from '../database/connect.js'
import { onlineSince } from './online.js'
import { loadRunnerProfiles } from './runner-profile.js'
import type { KnownRunner } from './why-it-waits.js'

/**
 * Every runner that could work for one of the projects, those that are paused or offline too. Of project runners only these
 * projects are told.
 */
export async function findKnownRunners(
  database: Database,
  projectIds: number[],
  now: number,
): Promise<KnownRunner[]> {
  const rows = await findRunners(database, projectIds)
  const profiles = await loadRunnerProfiles(database, rows, projectIds)
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

function findRunners(database: Database, projectIds: number[]) {
  return database
    .selectFrom('runner')
    .selectAll()
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('runner_type', '!=', 'project_type'),
        eb(
          'id',
          'in',
          selectFrom('runner_project').select('runner_id').where('project_id', 'in', projectIds),
        ),
      ]),
    )
    .execute()
}
