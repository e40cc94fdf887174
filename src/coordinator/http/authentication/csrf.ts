import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

import { apiError } from '../errors.js'

/** The parameter of forms that holds the token. */
export const CSRF_PARAMETER = 'authenticity_token'

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/**
 * The token that a page sends with each change, in `X-CSRF-Token` or in `authenticity_token`: proof that it may read
 * pages of this origin. `cookie` is the value of the session cookie, from which the token is derived.
 */
export function csrfTokenOf(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url')
}

/** Throws 403 unless a page of this origin made the request with the session cookie. */
export function refuseForgery(
  headers: IncomingHttpHeaders,
  params: Record<string, unknown>,
  { cookie, externalUrl }: { cookie: string; externalUrl: string },
): void {
  refuseOtherOrigins(headers, externalUrl)
  const given = headers['x-csrf-token'] ?? params[CSRF_PARAMETER]
  if (typeof given !== 'string' || !isEqual(given, csrfTokenOf(cookie))) {
    throw apiError('csrf_token_invalid')
  }
}

/** Throws 403 if the headers say that a page of another origin made the request. */
export function refuseOtherOrigins(headers: IncomingHttpHeaders, externalUrl: string): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw apiError('cross_site_request')
  const { origin } = headers
  if (origin !== undefined && isForeignOrigin(headers, externalUrl))
    throw apiError('foreign_origin', { origin, own: new URL(externalUrl).origin })
}

/** Whether a page of another origin made the request. Other clients than browsers send no origin. */
export function isForeignOrigin({ origin, host }: IncomingHttpHeaders, externalUrl: string): boolean {
  return origin !== undefined && origin !== new URL(externalUrl).origin && !isOnLoopback(origin, host)
}

/**
 * Whether a page that the browser has loaded from this machine made the request. A name that an attacker resolves to
 * the loopback address is not such a host.
 */
function isOnLoopback(origin: string, host: string | undefined): boolean {
  return host !== undefined && LOOPBACK_HOST.test(host) && origin === `http://${host}`
}

/** In constant time. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
