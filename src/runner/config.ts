import { hostname } from 'node:os'
import { resolve } from 'node:path'

import { defaultDataDir, readConfigFile } from './config/config-file.js'
import { withDefaultTlsFiles } from './config/default-tls-files.js'
import { readSettings } from './config/read-settings.js'
import type { RunnerSettings } from './config/settings.js'
import { loadSystemId } from './config/system-id.js'
import type { Table } from './config/table-reader.js'
import { SettingsError } from './errors.js'

/**
 * The settings of the daemon out of `file` and the environment. Throws `SettingsError` with every problem listed;
 * `warnings` name the keys that have no effect.
 */
export async function loadSettings(
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ settings: RunnerSettings; warnings: string[] }> {
  const table = await readConfigFile(file)
  if (!table) throw new SettingsError(file, ['does not exist; `switchyard runner register` makes it'])
  return resolveSettings(table, file, environment)
}

/** The same of a table that is as if it stood in `file`. */
export async function resolveSettings(
  table: Table,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ settings: RunnerSettings; warnings: string[] }> {
  const { settings, warnings } = readSettings(table, file, environment)
  return {
    settings: {
      ...settings,
      dataDir: resolve(environment['SWITCHYARD_RUNNER_DATA_DIR'] ?? settings.dataDir ?? defaultDataDir()),
      systemId: await loadSystemId(file),
      configFile: resolve(file),
      runners: settings.runners.map((entry) => ({
        ...entry,
        name: entry.name || hostname(),
        tls: withDefaultTlsFiles(entry.tls, entry.url, file),
      })),
    },
    warnings,
  }
}
