import { isDeepStrictEqual } from 'node:util'

import { messageOf } from '../../lib/errors.js'
import type { Logger } from '../../lib/logger.js'
import { SettingsError } from '../client/errors.js'
import { LOG_LEVELS } from './log-level.js'
import type { RunnerSettings } from './settings.js'
import type { LoadedSettings } from './settings-file.js'

export interface ReloadOptions {
  file: { readonly path: string; read(): Promise<LoadedSettings> }
  /** Those that the daemon works with so far. */
  settings: RunnerSettings
  apply: (settings: RunnerSettings) => void
  recorder: { settingsLoaded(isUsable: boolean): void }
  logger: Logger
}

/** What the daemon has made its own at the start; the file's name of each. */
const FIXED = { dataDir: 'data_dir', controlSocket: 'control_socket', listen: 'listen_address' } as const

/** Reads the settings anew and has them applied. Settings that cannot be used change nothing and are reported. */
export class Reload {
  private settings: RunnerSettings
  private queue: Promise<void> = Promise.resolve()

  constructor(private readonly options: ReloadOptions) {
    this.settings = options.settings
  }

  /** One after the other; never rejects. */
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
      logger.info({ file: file.path, runners: settings.runners.length }, 'Settings read again')
    } catch (error) {
      recorder.settingsLoaded(false)
      const problems = error instanceof SettingsError ? error.problems : [messageOf(error)]
      for (const problem of problems) logger.error({ file: file.path }, problem)
      logger.error({ file: file.path }, 'The new settings cannot be used; the old ones stay')
    }
  }

  private keepFixed(settings: RunnerSettings): RunnerSettings {
    const { dataDir, controlSocket, listen } = this.settings
    const kept = { ...settings, dataDir, controlSocket, listen }
    for (const [key, name] of Object.entries(FIXED) as [keyof typeof FIXED, string][]) {
      if (!isDeepStrictEqual(settings[key], kept[key])) {
        this.options.logger.warn({ file: this.options.file.path }, `${name} changes at the next start only`)
      }
    }
    return kept
  }
}
