import { MINUTE } from '../../../lib/time-units.js'
import type { Caller } from '../../access/caller.js'
import { apiError } from '../errors.js'

/** The time that a given password or token counts, in milliseconds. */
export const CONFIRMATION_LIFE = 30 * MINUTE

/**
 * Throws 403 `{"error":"confirmation_required"}` for a session whose user has not recently given a password or a token:
 * another person may sit at the browser.
 */
export function refuseUnconfirmed(caller: Caller, now: number = Date.now()): void {
  if (caller.kind !== 'user' || !caller.session) return
  if (!isRecentlyConfirmed(caller.session, now)) throw apiError('confirmation_required')
}

/** Whether the user of a session has recently proven who they are; the times are in milliseconds since 1970. */
export function isRecentlyConfirmed(
  { confirmedAt }: { confirmedAt: number | null },
  now: number = Date.now(),
): boolean {
  return confirmedAt !== null && confirmedAt > now - CONFIRMATION_LIFE
}
