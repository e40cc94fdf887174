const SECOND = 1000
const DAY = 24 * 3600 * SECOND

/** Seconds that an access token is good for (API gaps, A14). */
export const ACCESS_SECONDS = 7200

/** Milliseconds that a refresh token is good for: a client that is not used for as long asks its user again. */
export const REFRESH_LIFE = 90 * DAY

/** Milliseconds that an authorization code is good for. */
export const CODE_LIFE = 600 * SECOND

/** The end of an access token is on a whole second, the first of those in which it is void. */
export function endOfAccess(now: number): number {
  return (Math.floor(now / SECOND) + ACCESS_SECONDS) * SECOND
}
