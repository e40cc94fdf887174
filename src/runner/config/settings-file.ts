import { createHash } from 'node:crypto'
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'

import { loadSettings } from './load-settings.js'
import type { RunnerSettings } from './settings.js'

/** Runner protocol, 6.6. */
const CHECK_MILLISECONDS = 3000

export interface LoadedSettings {
  settings: RunnerSettings
  warnings: string[]
}

/** The settings file of a daemon, and the options of its command line, which take precedence. */
export class SettingsFile {
  private lastRead: string | undefined

  constructor(
    readonly path: string,
    private readonly overrides: Partial<RunnerSettings> = {},
  ) {}

  /** Throws `SettingsError` with all problems. */
  async read(): Promise<LoadedSettings> {
    // The digest is taken before the file is read, so that a change in between is found by the next check.
    this.lastRead = await this.digest()
    const { settings, warnings } = await loadSettings(this.path)
    return { settings: { ...settings, ...this.overrides }, warnings }
  }

  /**
   * Calls `onChange` whenever the content of the file differs from what was last read or reported. Returns a
   * function that stops watching.
   */
  async watch(onChange: () => void, interval = CHECK_MILLISECONDS): Promise<() => void> {
    const read = async () => {
      if ((await this.digest()) !== this.lastRead) onChange()
    }
    // Modification times are compared outside of JavaScript, so that an unchanged file costs nothing here.
    const listener = () => void read()
    watchFile(this.path, { persistent: false, interval }, listener)
    await read()
    return () => unwatchFile(this.path, listener)
  }

  /** Undefined for a file that cannot be read. `read` reports the error. */
  private async digest(): Promise<string | undefined> {
    try {
      return createHash('sha256')
        .update(await readFile(this.path))
        .digest('hex')
    } catch {
      return undefined
    }
  }
}
