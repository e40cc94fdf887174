import type { Selectable } from 'kysely'

import { DAY, MINUTE } from '../../../lib/time-units.js'
import type { WebHookTable } from '../../database/tables/webhooks.js'

/** Number of consecutive failures that have no effect (API, K2). */
const BORNE = 3
/** Consecutive failures after which a hook is disabled permanently. */
export const GIVEN_UP_AFTER = 40
/** In milliseconds. */
const FIRST_REST = MINUTE
const MAX_REST = DAY

export type Health = Pick<Selectable<WebHookTable>, 'recent_failures' | 'disabled_until'>

export type AlertStatus = 'executable' | 'temporarily_disabled' | 'disabled'

export const HEALTHY: Health = { recent_failures: 0, disabled_until: null }

/** Of imported hooks, whose secrets were not exported: they receive nothing until a user edits them. */
export const NEVER_CALLED: Health = { recent_failures: GIVEN_UP_AFTER, disabled_until: null }

/**
 * State after another failure. From the fourth consecutive failure on, a hook is disabled temporarily, for
 * twice as long each time; from the fortieth on, permanently.
 */
export function afterFailure({ recent_failures }: Health, now: number): Health {
  const failures = Math.min(recent_failures + 1, GIVEN_UP_AFTER)
  if (failures <= BORNE) return { recent_failures: failures, disabled_until: null }
  if (failures >= GIVEN_UP_AFTER) return { recent_failures: failures, disabled_until: null }
  const rest = Math.min(FIRST_REST * 2 ** (failures - BORNE - 1), MAX_REST)
  return { recent_failures: failures, disabled_until: now + rest }
}

export function alertStatus({ recent_failures, disabled_until }: Health, now: number): AlertStatus {
  if (recent_failures >= GIVEN_UP_AFTER) return 'disabled'
  return disabled_until !== null && disabled_until > now ? 'temporarily_disabled' : 'executable'
}

/**
 * End of the temporary disabling, in milliseconds since the epoch; null unless the hook is temporarily
 * disabled.
 */
export function disabledUntil(health: Health, now: number): number | null {
  return alertStatus(health, now) === 'temporarily_disabled' ? health.disabled_until : null
}
