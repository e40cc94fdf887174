import { IDENTITY_SCOPES } from '../../http/authentication/scopes.js'
import { OauthError } from './oauth-errors.js'

/** What a client gets that asks for nothing, if it may have it. */
const DEFAULT_SCOPE = 'api'
/** The scope with which a client learns who its user is (OpenID Connect Core 1.0, 3.1.2.1). */
export const OPENID = 'openid'

const IDENTITY = new Set<string>(IDENTITY_SCOPES)

/**
 * The scopes of a request (RFC 6749, 3.3). Throws `invalid_scope` for one that is not among those that are `allowed`, and
 * where none is left. Those of OpenID Connect that are not allowed are passed over: applications were made without them
 * when it was not offered yet, and their clients do without as ever.
 */
export function requestedScopes(asked: string | undefined, allowed: readonly string[]): string[] {
  const named = (asked ?? DEFAULT_SCOPE).split(' ').filter((scope) => scope !== '')
  const scopes = [...new Set(named)].filter((scope) => allowed.includes(scope) || !IDENTITY.has(scope))
  if (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope))) {
    throw new OauthError('invalid_scope')
  }
  return scopes
}
