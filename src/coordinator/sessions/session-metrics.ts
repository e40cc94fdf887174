import { Gauge, type Registry } from 'prom-client'

import type { Logger } from '../../lib/logger.js'
import type { Database } from '../database/connect.js'
import { countSessions } from '../database/stores/web-session-store.js'

/** The number of browser sessions, counted for each request of the metrics. */
export function registerSessionMetrics(registry: Registry, database: Database, logger: Logger): void {
  const gauge = new Gauge({
    name: 'switchyard_sessions',
    help: 'Browser sessions that have not ended, of all coordinators',
    registers: [registry],
    collect: async () => {
      try {
        gauge.set(await countSessions(database, Date.now()))
      } catch (error) {
        // The other metrics are needed most when the store fails.
        logger.warn({ err: error }, 'Failed to count the sessions')
        gauge.remove()
      }
    },
  })
}
