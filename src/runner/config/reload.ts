import { isDeepStrictEqual } from 'node:util'

import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { SettingsError } from '../client/errors.js'
import { LOG_LEVELS } from './log-level.js'
import type { LoadedSettings } from './settings-file.js'
import type { RunnerSettings } from './settings.js'

export interface ReloadOptions {
  file: { readonly path: string; read(): Promise<LoadedSettings> }
  /** The settings that the daemon currently uses. */
  settings: RunnerSettings
  apply: (settings: RunnerSettings) => void
  recorder: { settingsLoaded(isUsable: boolean): void }
  logger: Logger
}

/** Settings that cannot change while the daemon runs, with their names in the file. */
const FIXED = { dataDir: 'data_dir', controlSocket: 'control_socket', listen: 'listen_address' } as const

/** Reads the settings again and applies them. Invalid settings change nothing and are logged. */
export class Reload {
  private settings: RunnerSettings
  private queue: Promise<void> = Promise.resolve()

  constructor(private readonly options: ReloadOptions) {
    this.settings = options.settings
  }

  /** Runs one reload after the other. Never rejects. */
  run(): Promise<void> {
    this.queue = this.queue.then(() => this.reload())
    return this.queue
  }

  private async reload(): Promise<void> {
    const { file, recorder, logger, apply } = this.options
    try {
      const { settings, warnings } = await file.read()
      for (const warning of warnings) logger.warn({ file: file.path }, warning)
      this.settings = this.keepFixed(settings)
      logger.level = LOG_LEVELS[this.settings.logLevel]
      apply(this.settings)
      recorder.settingsLoaded(true)
      logger.info({ file: file.path, runners: settings.runners.length }, 'Settings reloaded')
    } catch (error) {
      recorder.settingsLoaded(false)
      const problems = error instanceof SettingsError ? error.problems : [messageOf(error)]
      for (const problem of problems) logger.error({ file: file.path }, problem)
      logger.error({ file: file.path }, 'The new settings are invalid; the current ones stay in effect')
    }
  }

  private keepFixed(settings: RunnerSettings): RunnerSettings {
    const { dataDir, controlSocket, listen } = this.settings
    const kept = { ...settings, dataDir, controlSocket, listen }
    for (const [key, name] of Object.entries(FIXED) as [keyof typeof FIXED, string][]) {
      if (!isDeepStrictEqual(settings[key], kept[key])) {
        this.options.logger.warn(
          { file: this.options.file.path },
          `A change of ${name} takes effect at the next start`,
        )
      }
    }
    return kept
  }
}
