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

/** The settings file of a daemon, and what its command line says over it. */
export class SettingsFile {
  private lastRead: string | undefined

  constructor(
    readonly path: string,
    private readonly overrides: Partial<RunnerSettings> = {},
  ) {}

  /** Throws `SettingsError` with every problem. */
  async read(): Promise<LoadedSettings> {
    // Before the reading: a change in between is then found by the next look.
    this.lastRead = await this.digest()
    const { settings, warnings } = await loadSettings(this.path)
    return { settings: { ...settings, ...this.overrides }, warnings }
  }

  /**
   * Calls `onChange` whenever the file holds something else than was read last, also what it was given since then. The
   * answer ends that.
   */
  async watch(onChange: () => void, interval = CHECK_MILLISECONDS): Promise<() => void> {
    const look = async () => {
      if ((await this.digest()) !== this.lastRead) onChange()
    }
    // The comparing of times is done outside of JavaScript: a file that does not change costs nothing here.
    const listener = () => void look()
    watchFile(this.path, { persistent: false, interval }, listener)
    await look()
    return () => unwatchFile(this.path, listener)
  }

  /** Undefined for a file that cannot be read, which is for `read` to report. */
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
