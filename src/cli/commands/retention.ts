import { Command } from 'commander'

import { readCoordinatorSettings } from '../../coordinator/start/config/settings.js'
import { formatBytes } from '../../lib/format-bytes.js'
import { bySetting, settingOptions } from './coordinator-flags.js'

type Options = Record<string, string | undefined> & { json?: true }

/** `switchyard coordinator retention`: shows what the limits of retention would delete now. Deletes nothing. */
export function retentionCommand(): Command {
  const command = new Command('retention').description(
    'Show, per project, the pipelines that the limits of retention would delete now',
  )
  settingOptions(['data_dir', 'database_url', 'config']).forEach((option) => command.addOption(option))
  command.option('--json', 'print JSON')
  return command.action(async () => {
    // The parent command has the same flags, and accepts them in any position.
    const { json, ...flags } = command.optsWithGlobals<Options>()
    const settings = readCoordinatorSettings(bySetting(flags), process.env)
    const { listDue } = await import('../../coordinator/start/list-due.js')
    const projects = await listDue(settings)
    if (json) {
      console.log(JSON.stringify({ limits: settings.retention, projects }, null, 2))
      return
    }
    for (const { path, pipelines, jobs, logBytes, artifacts, artifactBytes } of projects) {
      console.log(
        `${path}: ${pipelines} pipelines, ${jobs} jobs, ${formatBytes(logBytes)} of logs, ` +
          `${artifacts} artifacts (${formatBytes(artifactBytes)})`,
      )
    }
    if (projects.length === 0) console.log('Nothing is due')
  })
}
