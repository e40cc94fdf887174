import { tokenDigest } from '../../../../lib/tokens.js'
import { findGrant, type Grant, useCode } from '../../oauth-grant-store.js'
import type { Given } from '../given.js'
import type { Issued } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'
import { isVerified } from '../pkce.js'
import type { GrantCall } from './grant-call.js'
import { issueOnce } from './issue-once.js'

/** Exchanges an authorization code for tokens, once (RFC 6749, 4.1.3). */
export async function grantByCode({ database, client, given }: GrantCall): Promise<Issued> {
  const code = given.required('code')
  const grant = await findGrant(database, 'code_digest', tokenDigest(code))
  if (grant?.application_id !== client.id) throw new OauthError('invalid_grant')
  const isRefused = !isGood(grant) || grant.user_state !== 'active' || !isFor(grant, given)
  if (isRefused && grant.code_used_at === null) throw new OauthError('invalid_grant')
  return issueOnce(database, grant, grant.scopes, (tx) => useCode(tx, grant.id))
}

function isGood({ revoked_at, code_expires_at }: Grant): boolean {
  return revoked_at === null && code_expires_at !== null && code_expires_at > Date.now()
}

/** Whether the exchange matches the authorization request. */
function isFor(grant: Grant, given: Given): boolean {
  if (grant.redirect_uri !== null && given.text('redirect_uri') !== grant.redirect_uri) return false
  return isVerified(grant.code_challenge, given.text('code_verifier'))
}
