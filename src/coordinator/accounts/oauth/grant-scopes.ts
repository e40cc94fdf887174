import { IDENTITY_SCOPES } from '../../http/authentication/scopes.js'
import { OauthError } from './oauth-errors.js'

/** Scope of a request that names none, if the client is allowed to have it. */
const DEFAULT_SCOPE = 'api'
/** The scope for the identity of the user (OpenID Connect Core 1.0, 3.1.2.1). */
export const OPENID = 'openid'

const IDENTITY = new Set<string>(IDENTITY_SCOPES)

/**
 * Scopes of a request (RFC 6749, 3.3). Throws `invalid_scope` for a scope that is not in `allowed`, and if
 * none is left. Scopes of OpenID Connect that are not allowed are ignored. Applications created before OpenID
 * Connect was supported lack them, and their clients work without.
 */
export function requestedScopes(asked: string | undefined, allowed: readonly string[]): string[] {
  const named = (asked ?? DEFAULT_SCOPE).split(' ').filter((scope) => scope !== '')
  const scopes = [...new Set(named)].filter((scope) => allowed.includes(scope) || !IDENTITY.has(scope))
  if (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope))) {
    throw new OauthError('invalid_scope')
  }
  return scopes
}
