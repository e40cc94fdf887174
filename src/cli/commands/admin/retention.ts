import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'
import { bySetting } from '../coordinator-flags.js'
import { formatDue } from './format-due.js'

/** Shows what the limits of retention would delete now, and what they have deleted. Deletes nothing. */
export async function showDue(flags: Record<string, string | undefined>, asJson: boolean): Promise<void> {
  const settings = readCoordinatorSettings(bySetting(flags), process.env)
  const { listDue } = await import('../../../coordinator/start/services/list-due.js')
  const { projects, activityEvents, removed } = await listDue(settings)
  if (asJson) {
    console.log(JSON.stringify({ limits: settings.retention, projects, activityEvents, removed }, null, 2))
    return
  }
  console.log(formatDue({ projects, activityEvents, removed }))
}
