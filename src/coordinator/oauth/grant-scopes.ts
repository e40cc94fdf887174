import { withoutIdentityScopes } from '../http/authentication/scopes.js'
import { OauthError } from './oauth-errors.js'

/** What a client gets that asks for nothing, if it may have it. */
const DEFAULT_SCOPE = 'api'

/**
 * The scopes of a request (RFC 6749, 3.3). Throws `invalid_scope` for one that is not among those that are `allowed`, and
 * where none is left.
 */
export function requestedScopes(asked: string | undefined, allowed: readonly string[]): string[] {
  const scopes = [...new Set(withoutIdentityScopes((asked ?? DEFAULT_SCOPE).split(' ')))]
  if (scopes.length === 0 || !scopes.every((scope) => allowed.includes(scope))) {
    throw new OauthError('invalid_scope')
  }
  return scopes
}
