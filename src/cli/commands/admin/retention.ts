import { readCoordinatorSettings } from '../../../coordinator/start/config/settings.js'
import { formatBytes } from '../../../lib/format-bytes.js'
import { bySetting } from '../coordinator-flags.js'

/** Shows what the limits of retention would delete now. Deletes nothing. */
export async function showDue(flags: Record<string, string | undefined>, asJson: boolean): Promise<void> {
  const settings = readCoordinatorSettings(bySetting(flags), process.env)
  const { listDue } = await import('../../../coordinator/start/list-due.js')
  const projects = await listDue(settings)
  if (asJson) {
    console.log(JSON.stringify({ limits: settings.retention, projects }, null, 2))
    return
  }
  for (const { path, pipelines, jobs, logBytes, artifacts, artifactBytes } of projects) {
    console.log(
      `${path}: ${pipelines} pipelines, ${jobs} jobs, ${formatBytes(logBytes)} of logs, ` +
        `${artifacts} artifacts (${formatBytes(artifactBytes)})`,
    )
  }
  if (projects.length === 0) console.log('No pipeline is due')
}
