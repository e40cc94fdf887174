import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import type { LiveTimes } from '../../live/live-hub.js'
import type { CoordinatorSettings } from '../config/settings.js'
import { createAccountServices } from './accounts.js'
import { createBulkImportServices } from './bulk-imports.js'
import { createCiServices } from './ci.js'
import { createFoundation } from './foundation.js'
import { createHostingServices } from './hosting.js'
import { createIntegrationServices } from './integrations.js'
import { addListeners } from './listeners.js'
import { createLiveServices } from './live.js'
import { createPlanningServices } from './planning.js'
import { createRepositoryServices } from './repositories.js'
import type { Services } from './services.js'
import { createStorageServices } from './storage.js'

/** Services that exist already; without them, the settings say how they are made. */
export interface ServiceOverrides {
  /** Open, of the dialect that the settings name. */
  database?: Database
  repositories?: Repositories
  /** How long live streams and their parts last. */
  liveTimes?: Partial<LiveTimes>
}

/**
 * Creates all services, each wing from those before it, and connects them. `externalUrl` is the URL that clients use,
 * without a trailing slash.
 */
export async function createServices(
  settings: CoordinatorSettings,
  logger: Logger,
  externalUrl: string,
  overrides: ServiceOverrides = {},
): Promise<Services> {
  const foundation = await createFoundation(settings, logger, externalUrl, overrides.database)
  const base = {
    ...foundation,
    ...createRepositoryServices(foundation, overrides.repositories),
    ...(await createStorageServices(foundation)),
  }
  const withCi = { ...base, ...createCiServices(base) }
  const services: Services = {
    ...withCi,
    ...createAccountServices(foundation),
    ...createLiveServices(withCi, overrides.liveTimes),
    ...createIntegrationServices(withCi),
    ...createPlanningServices(withCi),
    ...createHostingServices(withCi),
    ...createBulkImportServices(withCi),
  }
  addListeners(services)
  return services
}
