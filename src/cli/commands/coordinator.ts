import { Command } from 'commander'

import type { Coordinator } from '../../coordinator/coordinator.js'
import { readCoordinatorSecrets, readCoordinatorSettings } from '../../coordinator/start/config/settings.js'
import { keepsWarnings } from '../../coordinator/start/warnings.js'
import { limitHeapGrowth } from '../../lib/heap-growth.js'
import { createLogger } from '../../lib/logger.js'
import { untilStopped } from '../until-stopped.js'
import { bySetting, settingOptions } from './coordinator-flags.js'
import { rotateSecretKeyCommand } from './rotate-secret-key.js'

export function coordinatorCommand(): Command {
  const command = new Command('coordinator').description('Run the coordinator')
  settingOptions().forEach((option) => command.addOption(option))
  command.addCommand(rotateSecretKeyCommand())
  return command.action(async (options: Record<string, string | undefined>) => {
    // Also applies to the files that git writes.
    process.umask(0o077)
    limitHeapGrowth()
    const settings = readCoordinatorSettings(bySetting(options), process.env)
    const logger = createLogger('coordinator', settings.logLevel, keepsWarnings(settings))
    // Loaded on demand, so that a runner or a short command does not load the modules of the server.
    const { startCoordinator } = await import('../../coordinator/coordinator.js')
    const { ServiceManager } = await import('../../coordinator/start/service-manager.js')
    const coordinator = await startCoordinator(settings, logger, readCoordinatorSecrets(process.env))
    const manager = new ServiceManager(process.env, logger)
    const stop = untilStopped()
    const status = `Serves ${coordinator.url}`
    const reload = (): void => void manager.duringReload(() => coordinator.readSecretKeys(), status)
    process.on('SIGHUP', reload)
    printStarted(coordinator)
    await manager.started(status)
    await stop.promise
    process.off('SIGHUP', reload)
    await manager.stopping()
    await coordinator.stop()
    manager.stop()
  })
}

function printStarted({ url, settings, adminTokenFile, registrationTokenFile }: Coordinator): void {
  console.log(`Listening on ${url}${settings.externalUrl ? `, known as ${settings.externalUrl}` : ''}`)
  if (adminTokenFile) console.log(`The administrator is root; the token is in ${adminTokenFile}`)
  console.log(`The token that registers runners is in ${registrationTokenFile}`)
}
