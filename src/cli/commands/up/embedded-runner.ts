import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import type { Coordinator } from '../../../coordinator/coordinator.js'
import type { Logger } from '../../../lib/logger.js'
import { CoordinatorClient } from '../../../runner/client/coordinator-client.js'
import { CoordinatorResponseError } from '../../../runner/client/errors.js'
import { entriesOf, readConfigFile, writeConfigFile } from '../../../runner/config/config-file.js'
import { loadSettings } from '../../../runner/config/load-settings.js'
import { loadSystemId } from '../../../runner/config/system-id.js'
import type { Table } from '../../../runner/config/table-reader.js'
import { type Runner, startRunner } from '../../../runner/runner.js'
import { SAMPLE_IMAGE } from './sample/files.js'

const NAME = 'switchyard up'

/**
 * Starts the Docker runner beside the coordinator. At its first start, it registers itself over HTTP like any other
 * runner. Its `config.toml` is in the data folder, and changes by the user are kept.
 */
export async function startEmbeddedRunner(coordinator: Coordinator, logger: Logger): Promise<Runner> {
  const folder = join(coordinator.settings.dataDir, 'runner')
  const file = join(folder, 'config.toml')
  await prepareConfig(file, coordinator)
  const environment = { ...process.env, SWITCHYARD_RUNNER_DATA_DIR: join(folder, 'data') }
  const { settings, warnings } = await loadSettings(file, environment)
  for (const warning of warnings) logger.warn(warning)
  return startRunner(settings, logger)
}

async function prepareConfig(file: string, coordinator: Coordinator): Promise<void> {
  const table = (await readConfigFile(file)) ?? newTable()
  const [entry] = entriesOf(table)
  if (entry) {
    // The port may have changed since the last start.
    entry['url'] = coordinator.url
    if (!(await isKnown(file, coordinator.url, entry))) entry['token'] = await register(file, coordinator)
  }
  await writeConfigFile(file, table)
}

/**
 * As many concurrent jobs as the machine has processors, and at least two, because the tests of the sample run in
 * parallel.
 */
function newTable(): Table {
  return {
    concurrent: Math.max(2, availableParallelism()),
    // Jobs use the network of the machine, on which the rule has no effect.
    block_metadata_addresses: false,
    // The user who starts it owns the machine.
    terminal: { enabled: true },
    runners: [
      {
        name: NAME,
        url: '',
        token: '',
        executor: 'docker',
        docker: {
          image: SAMPLE_IMAGE,
          pull_policy: 'if-not-present',
          // A job reaches the coordinator at 127.0.0.1, which no other machine can. This is suitable for a personal
          // machine.
          network_mode: 'host',
        },
      },
    ],
  }
}

async function isKnown(file: string, url: string, entry: Table): Promise<boolean> {
  const token = entry['token']
  if (typeof token !== 'string' || token === '') return false
  return withClient(file, url, token, async (client) => {
    try {
      await client.verifyRunner()
      return true
    } catch (error) {
      // If the runner was deleted from the coordinator, it is registered again.
      if (error instanceof CoordinatorResponseError && error.status === 403) return false
      throw error
    }
  })
}

async function register(file: string, { url, registrationTokenFile }: Coordinator): Promise<string> {
  const registrationToken = (await readFile(registrationTokenFile, 'utf8')).trim()
  const credentials = await withClient(file, url, '', (client) =>
    client.registerRunner({ token: registrationToken, description: NAME, run_untagged: true }),
  )
  return credentials.token
}

async function withClient<T>(
  file: string,
  url: string,
  token: string,
  call: (client: CoordinatorClient) => Promise<T>,
): Promise<T> {
  const client = new CoordinatorClient({ url, token, systemId: await loadSystemId(file), executor: 'docker' })
  try {
    return await call(client)
  } finally {
    await client.close()
  }
}
