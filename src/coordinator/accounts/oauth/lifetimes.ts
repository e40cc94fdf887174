const SECOND = 1000
const DAY = 24 * 3600 * SECOND

/** Seconds that an access token is good for (API, A14). */
export const ACCESS_SECONDS = 7200

/** Milliseconds that a refresh token is good for: a client that is not used for as long asks its user again. */
export const REFRESH_LIFE = 90 * DAY

/** Milliseconds that an authorization code is good for. */
export const CODE_LIFE = 600 * SECOND

/** Milliseconds that the codes of a device are good for, as in the reference: people are at it right now. */
export const DEVICE_LIFE = 300 * SECOND

/** Seconds that a device must wait before it asks again (RFC 8628, 3.2). */
export const POLL_SECONDS = 5

/** Seconds that an id token is good for, as in the reference: it is read as soon as it comes. */
export const ID_TOKEN_SECONDS = 120

/** The end of an access token is on a whole second, the first of those in which it is void. */
export function endOfAccess(now: number): number {
  return (Math.floor(now / SECOND) + ACCESS_SECONDS) * SECOND
}
