import { tokenDigest } from '../../../../lib/tokens.js'
import { findTokenOfGrant, type TokenOfGrant, tradeToken } from '../../oauth-grant-store.js'
import { requestedScopes } from '../grant-scopes.js'
import type { Issued } from '../issue-token.js'
import { REFRESH_GRACE, REFRESH_LIFE } from '../lifetimes.js'
import { OauthError } from '../oauth-errors.js'
import type { GrantCall } from './grant-call.js'
import { issueOnce } from './issue-once.js'

/**
 * Exchanges a refresh token for new tokens (RFC 6749, 6); the old ones become invalid. A refresh token can be exchanged
 * again for a short time. Later reuse revokes the grant.
 */
export async function grantByRefreshToken({ database, client, given }: GrantCall): Promise<Issued> {
  const refreshToken = given.required('refresh_token')
  const token = await findTokenOfGrant(database, 'refresh_digest', tokenDigest(refreshToken))
  if (token?.application_id !== client.id) throw new OauthError('invalid_grant')
  const now = Date.now()
  const isUsable = token.refreshed_at === null || token.refreshed_at > now - REFRESH_GRACE
  if (isUsable && !isGood(token)) throw new OauthError('invalid_grant')
  // A used refresh token gets no tokens, whatever scopes it requests.
  const scopes = isUsable ? scopesOf(token, given.text('scope')) : []
  const { grant_id, user_id, granted_at, auth_time } = token
  // An ID token from a refresh has no nonce (OpenID Connect Core 1.0, 12.2).
  const grant = { id: grant_id, user_id, created_at: granted_at, auth_time, nonce: null }
  return issueOnce(database, grant, scopes, (tx) => tradeToken(tx, token.id, now, REFRESH_GRACE))
}

function isGood({ revoked_at, user_state, created_at }: TokenOfGrant): boolean {
  return revoked_at === null && user_state === 'active' && created_at + REFRESH_LIFE > Date.now()
}

/** At most the scopes of the original grant, even if the last token had fewer. */
function scopesOf({ grant_scopes }: TokenOfGrant, asked: string | undefined): string[] {
  return asked === undefined ? grant_scopes : requestedScopes(asked, grant_scopes)
}
