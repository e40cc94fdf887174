import { join } from 'node:path'

import { IdleMemory } from '../lib/idle-memory.js'
import type { Logger } from '../lib/logger.js'
import { Reload } from './config/reload.js'
import type { SettingsFile } from './config/settings-file.js'
import type { RunnerSettings } from './config/settings.js'
import { startControlServer } from './control/control-server.js'
import { Control } from './control/control.js'
import { lockDataDir } from './control/data-dir-lock.js'
import { PauseState } from './control/pause-state.js'
import { type Listener, startListener } from './listen/listener.js'
import type { Metrics } from './metrics/metrics.js'
import { NO_RECORDER } from './registrations/recorder.js'
import type { RuntimeFactory } from './registrations/runtime-factory.js'
import { type Runner, startRunner } from './runner.js'
import { ServiceManager } from './systemd/service-manager.js'

export interface DaemonOptions {
  file: SettingsFile
  /** The settings that were read from `file`. */
  settings: RunnerSettings
  logger: Logger
  /** Required if the settings contain an address to listen on. */
  metrics?: Metrics | undefined
  environment?: NodeJS.ProcessEnv
  parts?: RuntimeFactory
  /** Milliseconds between two checks of the settings file. */
  checkInterval?: number
  /** Aborts the start until the first registration requests jobs. `startDaemon` then rejects with its reason. */
  starting?: AbortSignal
}

/** A runner together with its control socket, metrics and settings file. */
export interface Daemon {
  readonly runner: Runner
  /** Port of the metrics. Undefined if they are not served. */
  readonly port: number | undefined
  /** Reads the settings again, whether or not their file has changed. */
  reload(): Promise<void>
  /** Resolves when the runner and everything around it has stopped, in any way. */
  readonly finished: Promise<void>
}

/**
 * Starts the runner, its control socket, its metrics, and the watch on its settings. Throws `DataDirInUseError` if
 * another daemon uses the data directory. If any part cannot be started, leaves nothing running.
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const closers: (() => Promise<void> | void)[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    return await start(options, closers, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function start(
  options: DaemonOptions,
  closers: (() => Promise<void> | void)[],
  closeAll: () => Promise<void>,
): Promise<Daemon> {
  const { settings, file, logger, metrics } = options
  const { dataDir } = settings
  const recorder = metrics?.recorder ?? NO_RECORDER
  const { starting } = options
  const lock = await lockDataDir(dataDir)
  closers.push(() => lock.release())
  const book = await PauseState.open(join(dataDir, 'paused.json'))
  const memory = new IdleMemory()
  closers.push(() => memory.stop())
  memory.quiet()
  const onJobs = (count: number) => (count === 0 ? memory.quiet() : memory.stop())
  const helpers = { recorder, isPaused: book.isPaused, onJobs, ...(starting ? { starting } : {}) }
  const runner = await startRunner(settings, logger, options.parts, helpers)
  closers.push(() => runner.stopGracefully())
  const control = new Control(runner, book)
  const socket = settings.controlSocket ?? join(dataDir, 'control.sock')
  const server = await startControlServer(socket, dataDir, control, logger)
  closers.push(() => server.close())
  const listener = await listenIfWanted(options, runner)
  if (listener) closers.push(() => listener.close())
  const manager = new ServiceManager(options.environment ?? process.env, runner, logger)
  const apply = (changed: RunnerSettings) => runner.apply(changed)
  const reload = new Reload({ file, settings, apply, recorder, logger })
  const reloadAndNotify = () => manager.duringReload(() => reload.run())
  recorder.settingsLoaded(true)
  closers.push(await file.watch(() => void reloadAndNotify(), options.checkInterval))
  await manager.started()
  closers.push(() => manager.stop())
  void runner.stopping.then(() => manager.stopping())
  const finished = runner.finished.then(closeAll)
  return { runner, port: listener?.port, reload: reloadAndNotify, finished }
}

async function listenIfWanted(
  { settings, logger, metrics }: DaemonOptions,
  runner: Runner,
): Promise<Listener | undefined> {
  if (!settings.listen || !metrics) return undefined
  metrics.show(runner, settings.systemId)
  return startListener(settings.listen, runner, metrics, logger)
}
