import type { EngineDeps } from '../engine-deps.js'
import { stopEnvironment } from './stop-environment.js'
import { findDueEnvironments, findNextStop } from './store.js'

/**
 * Stops the environments whose time is over (CI language, 15.4). Returns when the next one is due, in milliseconds since
 * 1970; undefined when none is. One that cannot be stopped is logged, and tried again at the next call.
 */
export async function stopDueEnvironments(deps: EngineDeps, now = Date.now()): Promise<number | undefined> {
  for (const id of await findDueEnvironments(deps.database, now)) {
    try {
      await stopEnvironment(deps, id, {
        isAutomatic: true,
        onlyIf: ({ state, auto_stop_at }) =>
          state === 'available' && auto_stop_at !== null && auto_stop_at <= now,
      })
    } catch (error) {
      deps.logger.error({ err: error, environment: id }, 'An environment could not be stopped in time')
    }
  }
  return findNextStop(deps.database, now)
}
