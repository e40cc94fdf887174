import { DAY } from '../../../lib/time-units.js'
import { type DueInProject, listDueOfProjects } from '../../ci/pipelines/retention/list-due-of-projects.js'
import { listRemovals, type Removal } from '../../ci/pipelines/retention/removals.js'
import { connectDatabase, type Database } from '../../database/connect.js'
import { requireReleasedSchema } from '../../database/recorded-schema.js'
import { countActivityBefore } from '../../integrations/activity-events/delete-old-activity.js'
import type { CoordinatorSettings, RetentionSettings } from '../config/settings.js'

/** What the limits of retention would delete now. */
export interface Due {
  projects: DueInProject[]
  activityEvents: number
}

/** Throws the reason of `signal` when it aborts. */
export async function findDue(
  database: Database,
  retention: RetentionSettings,
  signal: AbortSignal,
): Promise<Due> {
  const now = Date.now()
  return {
    projects: await listDueOfProjects(database, retention, signal, now),
    activityEvents: await countActivityBefore(database, now - retention.activityDays * DAY),
  }
}

/** The objects that would be deleted now in the installation of the settings, and those deleted in the last 30 days. */
export async function listDue({
  database: settings,
  retention,
}: Pick<CoordinatorSettings, 'database' | 'retention'>): Promise<Due & { removed: Removal[] }> {
  const database = connectDatabase(settings)
  try {
    await requireReleasedSchema(database, settings)
    const due = await findDue(database, retention, new AbortController().signal)
    return { ...due, removed: await listRemovals(database) }
  } finally {
    await database.destroy()
  }
}
