import { join } from 'node:path'

import type { PushDeps } from '../../../src/coordinator/hosting/repositories/push/handle-push.js'
import { type AppOptions, buildApp } from '../../../src/coordinator/start/app.js'
import { closeServices } from '../../../src/coordinator/start/close-services.js'
import {
  type CoordinatorSettings,
  readCoordinatorSettings,
} from '../../../src/coordinator/start/config/settings.js'
import {
  createServices,
  type ServiceOverrides,
} from '../../../src/coordinator/start/services/create-services.js'
import { pushDeps } from '../../../src/coordinator/start/services/push-deps.js'
import type { Services } from '../../../src/coordinator/start/services/services.js'
import { createLogger } from '../../../src/lib/logger.js'
import { type OpenDatabase, openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { EXTERNAL_URL, TestApp } from './test-app.js'

export interface TestServicesOptions {
  /** By default, a database on SQLite. */
  open?: OpenDatabase
  /** Overrides of the default settings of a coordinator. */
  settings?: Partial<Omit<CoordinatorSettings, 'database' | 'dataDir' | 'sharedDir'>>
  overrides?: Omit<ServiceOverrides, 'database'>
  externalUrl?: string
  /** The data folder of a coordinator that runs already. */
  dataDir?: string
}

/**
 * The services of a coordinator on a migrated, empty database and in a data folder of its own. No periodic task or worker
 * runs, and no other coordinator is listened to. They are closed when the test has finished.
 */
export async function openTestServices({
  open = openSqlite,
  settings = {},
  overrides = {},
  externalUrl = EXTERNAL_URL,
  dataDir,
}: TestServicesOptions = {}): Promise<Services> {
  const { database, settings: ofDatabase } = await open()
  const defaults = readCoordinatorSettings({ data_dir: dataDir ?? (await tempDir()) }, {})
  const services = await createServices(
    { ...defaults, longPollSeconds: 0, ...settings, database: ofDatabase },
    createLogger('test', 'silent'),
    externalUrl,
    // A stream ends at once, as a held request does.
    { liveTimes: { end: 0 }, ...overrides, database },
  )
  onFinished(() => closeServices(services))
  return services
}

export interface TestAppOptions extends AppOptions {
  /** By default, moved refs have the same effects as in a coordinator. */
  pushes?: PushDeps
  /** Its signal ends held requests, as when a coordinator stops. */
  stopping?: AbortController
}

/**
 * The HTTP app of a coordinator over these services, which does not listen yet. It serves the operations
 * that the options list, in most tests only those of a wing: to load all of them takes seconds. Every response is checked against its
 * declaration. It is closed before the services.
 */
export function openTestApp(
  services: Services,
  { pushes = pushDeps(services), stopping = new AbortController(), ...options }: TestAppOptions,
): TestApp {
  const app = buildApp(services, pushes, stopping.signal, { checkResponses: true, ...options })
  onFinished(() => {
    stopping.abort()
    return app.close()
  })
  return new TestApp(app, join(services.settings.dataDir, 'spool'))
}
