import { Command } from 'commander'

import { readCoordinatorSecrets, readCoordinatorSettings } from '../../coordinator/config.js'
import type { Coordinator } from '../../coordinator/coordinator.js'
import { createLogger } from '../../lib/logger.js'
import { untilStopped } from '../until-stopped.js'

/** Flags by the name of their setting; what a flag says wins over environment and file. */
const FLAGS: [flag: string, setting: string, description: string][] = [
  ['--listen <address>', 'listen', 'address and port to listen on (default 127.0.0.1:8929)'],
  ['--external-url <url>', 'external_url', 'address that clone URLs, links and jobs get'],
  [
    '--data-dir <folder>',
    'data_dir',
    'folder for repositories, logs and artifacts (default ./switchyard-data)',
  ],
  ['--database-url <url>', 'database_url', 'postgres://… (default: SQLite in the data folder)'],
  ['--config <file>', 'config', 'settings file, TOML (default: coordinator.toml in the data folder)'],
  ['--log-level <level>', 'log_level', 'trace, debug, info, warn, error, fatal or silent'],
]

export function coordinatorCommand(): Command {
  const command = new Command('coordinator').description('Run the coordinator')
  for (const [flag, , description] of FLAGS) command.option(flag, description)
  return command.action(async (options: Record<string, string | undefined>) => {
    const settings = readCoordinatorSettings(bySetting(options), process.env)
    const logger = createLogger('coordinator', settings.logLevel)
    // Loaded only now: a runner, or a command that ends at once, does without the server's memory.
    const { startCoordinator } = await import('../../coordinator/coordinator.js')
    const coordinator = await startCoordinator(settings, logger, readCoordinatorSecrets(process.env))
    const stop = untilStopped()
    tell(coordinator)
    await stop.promise
    await coordinator.stop()
  })
}

/** Commander names options in camel case: `dataDir` for `data_dir`. */
function bySetting(options: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    FLAGS.map(([, setting]) => [
      setting,
      options[setting.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())],
    ]),
  )
}

function tell({ url, settings, adminTokenFile, registrationTokenFile }: Coordinator): void {
  console.log(`Listening on ${url}${settings.externalUrl ? `, known as ${settings.externalUrl}` : ''}`)
  if (adminTokenFile) console.log(`The administrator is root; the token is in ${adminTokenFile}`)
  console.log(`The token that registers runners is in ${registrationTokenFile}`)
}
