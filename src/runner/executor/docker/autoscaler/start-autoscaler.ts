import { join } from 'node:path'

import type { Logger } from '../../../../lib/logger.js'
import { Autoscaler } from './autoscaler.js'
import type { Demand } from './demand.js'
import { LedgerFiles } from './ledger/ledger-files.js'
import type { AutoscalerSettings, PluginSettings } from './model/settings.js'
import { CommandPlugin } from './plugins/command-plugin.js'
import { DockerPlugin } from './plugins/docker-plugin.js'
import type { Plugin } from './plugins/plugin.js'
import { EngineProbe } from './probe.js'
import type { AutoscalerRecorder } from './recorder.js'

export interface AutoscalerOptions {
  settings: AutoscalerSettings
  pool: string
  /** Folder for the records of the machines, and for what the plugin keeps. */
  folder: string
  demand: Demand
  /** Maximum number of concurrent jobs of the registration now. */
  maxJobs: () => number
  recorder: AutoscalerRecorder
  logger: Logger
}

/** Starts an autoscaler with the plugin of its settings and records in a folder. */
export function startAutoscaler(options: AutoscalerOptions): Autoscaler {
  const { settings, pool, folder } = options
  const logger = options.logger.child({ pool })
  return Autoscaler.start({
    ...options,
    logger,
    store: new LedgerFiles(join(folder, 'pools', pool)),
    plugin: createPlugin(settings.plugin, pool, join(folder, 'engines'), logger),
    probe: new EngineProbe(settings.instanceReadyCommand),
  })
}

function createPlugin(settings: PluginSettings, pool: string, folder: string, logger: Logger): Plugin {
  switch (settings.kind) {
    case 'command':
      return new CommandPlugin(settings, pool, logger)
    case 'docker':
      return new DockerPlugin(settings, pool, folder)
  }
}
