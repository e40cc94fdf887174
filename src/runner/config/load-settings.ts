import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

import { SettingsError } from '../client/errors.js'
import { defaultDataDir, readConfigFile } from './config-file.js'
import { withDefaultTlsFiles } from './default-tls-files.js'
import { readSettings } from './read-settings.js'
import type { RunnerSettings } from './settings.js'
import { loadSystemId } from './system-id.js'
import type { Table } from './table-reader.js'

/**
 * Reads the settings of the daemon from `file` and the environment. Throws `SettingsError` with all problems.
 * `warnings` name the keys that have no effect.
 */
export async function loadSettings(
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ settings: RunnerSettings; warnings: string[] }> {
  const table = await readConfigFile(file)
  if (!table) throw new SettingsError(file, ['does not exist; `switchyard runner register` creates it'])
  return resolveSettings(table, file, environment)
}

/** Like `loadSettings`, for a table as if it were in `file`. */
export async function resolveSettings(
  table: Table,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ settings: RunnerSettings; warnings: string[] }> {
  const { settings, warnings } = readSettings(table, file, environment)
  return {
    settings: {
      ...settings,
      ...resolvePaths(settings, environment),
      systemId: await loadSystemId(file),
      configFile: resolve(file),
      runners: settings.runners.map((registration) => ({
        ...registration,
        name: registration.name || hostname(),
        tls: withDefaultTlsFiles(registration.tls, registration.url, file),
      })),
    },
    warnings,
  }
}

/**
 * The control socket of the daemon that uses this file. Reads only the keys that this needs: a daemon keeps its
 * settings while its file is being changed, and must be reachable even then.
 */
export async function controlSocketOf(
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const table = (await readConfigFile(file)) ?? {}
  const text = (key: string) => (typeof table[key] === 'string' ? table[key] : undefined)
  return resolvePaths({ dataDir: text('data_dir'), controlSocket: text('control_socket') }, environment)
    .controlSocket
}

function resolvePaths(
  { dataDir: configured, controlSocket }: { dataDir: string | undefined; controlSocket?: string | undefined },
  environment: NodeJS.ProcessEnv,
): { dataDir: string; controlSocket: string } {
  const dataDir = resolve(environment['SWITCHYARD_RUNNER_DATA_DIR'] ?? configured ?? defaultDataDir())
  return { dataDir, controlSocket: resolve(controlSocket || join(dataDir, 'control.sock')) }
}
