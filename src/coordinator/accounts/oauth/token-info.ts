import { tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { refuseInactive } from '../../http/authentication/authenticator.js'
import { findTokenOfGrant, type TokenOfGrant } from '../oauth-grant-store.js'
import { OauthError } from './oauth-errors.js'

/** API, A14. */
export interface TokenInfo {
  /** Null for a token of the client credentials grant. */
  resource_owner_id: number | null
  scope: string[]
  /** Remaining lifetime, in seconds. */
  expires_in: number
  application: { uid: string }
  /** Seconds since the epoch. */
  created_at: number
}

/** Information on an access token. Throws `invalid_token`, and 403 if its user is blocked. */
export async function tokenInfo(database: Database, token: string | undefined): Promise<TokenInfo> {
  const found = await findGoodToken(database, token)
  return {
    resource_owner_id: found.user_id,
    scope: found.scopes,
    expires_in: secondsLeft(found),
    application: { uid: found.application_uid },
    created_at: Math.floor(found.created_at / 1000),
  }
}

/** Finds a valid access token. Throws `invalid_token`, and 403 if its user is blocked. */
export async function findGoodToken(database: Database, token: string | undefined): Promise<TokenOfGrant> {
  const found =
    token === undefined ? undefined : await findTokenOfGrant(database, 'access_digest', tokenDigest(token))
  if (!found) throw new OauthError('invalid_token')
  if (found.revoked_at !== null || found.refreshed_at !== null) {
    throw new OauthError('invalid_token', 'The access token was revoked')
  }
  if (secondsLeft(found) <= 0) throw new OauthError('invalid_token', 'The access token expired')
  if (found.user_state !== null) refuseInactive({ state: found.user_state })
  return found
}

function secondsLeft({ expires_at }: TokenOfGrant): number {
  return Math.ceil((expires_at - Date.now()) / 1000)
}
