import { findDueEnvironments, findNextStop } from '../deployments/environment-store.js'
import type { EngineDeps } from '../engine-deps.js'
import { stopEnvironment } from './stop-environment.js'

/**
 * Stops the environments whose stop time has passed (CI language, 15.4), each on behalf of the user whose job
 * set the time. If this user may not stop an environment, it stays available and its stop time is cleared.
 *
 * Returns the next stop time, in milliseconds since 1970; undefined if there is none. If an environment fails
 * to stop, the error is logged and the next call retries it.
 */
export async function stopDueEnvironments(deps: EngineDeps, now = Date.now()): Promise<number | undefined> {
  for (const { id, auto_stop_user_id: userId } of await findDueEnvironments(deps.database, now)) {
    try {
      const outcome = await stopEnvironment(deps, id, {
        userId,
        isAutomatic: true,
        // Another user may have changed the time since it was read.
        onlyIf: ({ state, auto_stop_at, auto_stop_user_id }) =>
          state === 'available' &&
          auto_stop_at !== null &&
          auto_stop_at <= now &&
          auto_stop_user_id === userId,
      })
      if (outcome.kind !== 'refused') continue
      deps.logger.warn(
        { environment: id, user: userId, reason: outcome.message },
        'Environment not stopped: the user who set its stop time may not run its stop jobs',
      )
    } catch (error) {
      deps.logger.error({ err: error, environment: id }, 'Failed to stop an environment at its stop time')
    }
  }
  return findNextStop(deps.database, now)
}
