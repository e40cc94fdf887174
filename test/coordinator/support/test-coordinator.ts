import type { FastifyInstance } from 'fastify'

import { buildApp } from '../../../src/coordinator/start/app.js'
import { closeServices } from '../../../src/coordinator/start/close-services.js'
import {
  type CoordinatorSettings,
  readCoordinatorSettings,
} from '../../../src/coordinator/start/config/settings.js'
import { createServices, type ServiceOverrides } from '../../../src/coordinator/start/create-services.js'
import { pushDeps } from '../../../src/coordinator/start/push-deps.js'
import type { Services } from '../../../src/coordinator/start/services.js'
import { createLogger } from '../../../src/lib/logger.js'
import { type OpenDatabase, openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { EXTERNAL_URL } from './test-app.js'

export interface TestServicesOptions {
  /** By default, a database on SQLite. */
  open?: OpenDatabase
  /** What differs from the defaults of a coordinator. */
  settings?: Partial<Omit<CoordinatorSettings, 'database' | 'dataDir'>>
  overrides?: Omit<ServiceOverrides, 'database'>
}

/**
 * The services of a coordinator on a migrated, empty database and in a data folder of its own. No periodic task or worker
 * runs, and no other coordinator is listened to. They are closed when the test has finished.
 */
export async function openTestServices({
  open = openSqlite,
  settings = {},
  overrides = {},
}: TestServicesOptions = {}): Promise<Services> {
  const { database, settings: ofDatabase } = await open()
  const defaults = readCoordinatorSettings({ data_dir: await tempDir() }, {})
  const services = await createServices(
    { ...defaults, longPollSeconds: 0, ...settings, database: ofDatabase },
    createLogger('test', 'silent'),
    EXTERNAL_URL,
    { ...overrides, database },
  )
  onFinished(() => closeServices(services))
  return services
}

/** Every operation, git and the pages over these services. It is closed before them. */
export function openWholeApp(services: Services): FastifyInstance {
  const stopping = new AbortController()
  const app = buildApp(services, pushDeps(services), stopping.signal)
  onFinished(() => {
    stopping.abort()
    return app.close()
  })
  return app
}
