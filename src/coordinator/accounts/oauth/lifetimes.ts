import { DAY, SECOND } from '../../../lib/time-units.js'

/** Lifetime of an access token, in seconds (API, A14). */
export const ACCESS_SECONDS = 7200

/** Lifetime of a refresh token, in milliseconds; a client unused for this time needs a new authorization. */
export const REFRESH_LIFE = 90 * DAY

/**
 * Time after its exchange in which a refresh token is exchanged again, in milliseconds. A client whose processes refresh
 * at once, or that lost the response, is not taken for a thief (RFC 9700, 4.14.2).
 */
export const REFRESH_GRACE = 30 * SECOND

/** Lifetime of an authorization code, in milliseconds. */
export const CODE_LIFE = 600 * SECOND

/** Lifetime of device codes, in milliseconds, as in the reference; users enter them at once. */
export const DEVICE_LIFE = 300 * SECOND

/** Minimum interval between polls of a device, in seconds (RFC 8628, 3.2). */
export const POLL_SECONDS = 5

/** Lifetime of an ID token, in seconds, as in the reference; clients read it on receipt. */
export const ID_TOKEN_SECONDS = 120

/** Access tokens expire at a whole second; they are invalid from the start of that second on. */
export function endOfAccess(now: number): number {
  return (Math.floor(now / SECOND) + ACCESS_SECONDS) * SECOND
}
