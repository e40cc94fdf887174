import { randomBytes } from 'node:crypto'

import { tokenDigest } from '../../../lib/tokens.js'
import type { Transaction } from '../../database/transaction.js'
import { type Grant, insertOauthToken } from '../oauth-grant-store.js'
import { ACCESS_SECONDS, endOfAccess } from './lifetimes.js'

/** Token response, sent once (RFC 6749, 5.1; API, A14). */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  /** Absent for the client credentials grant, whose client can request a new token (RFC 6749, 4.4.3). */
  refresh_token?: string
  scope: string
  /** Seconds since the epoch. */
  created_at: number
  /** Identity of the user, for the scope `openid` (OpenID Connect Core 1.0, 3.1.3.3). */
  id_token?: string
}

/** New tokens, with their grant. */
export interface Issued {
  response: TokenResponse
  grant: IssuedGrant
  scopes: readonly string[]
}

export type IssuedGrant = Pick<Grant, 'id' | 'user_id' | 'auth_time' | 'created_at' | 'nonce'>

/**
 * A new code or token: 256 random bits in hexadecimal; only its digest is stored. Its form differs from
 * tokens of other kinds.
 */
export function newSecret(): string {
  return randomBytes(32).toString('hex')
}

/** Issues new tokens for a grant; `scopes` is a subset of the scopes of the grant. */
export async function issueOauthToken(
  tx: Transaction,
  grant: IssuedGrant,
  scopes: readonly string[],
): Promise<Issued> {
  const now = Date.now()
  const access = newSecret()
  const refresh = grant.user_id === null ? undefined : newSecret()
  await insertOauthToken(tx, {
    grant_id: grant.id,
    scopes: JSON.stringify(scopes),
    access_digest: tokenDigest(access),
    refresh_digest: refresh === undefined ? null : tokenDigest(refresh),
    expires_at: endOfAccess(now),
    created_at: now,
  })
  const response: TokenResponse = {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    ...(refresh !== undefined && { refresh_token: refresh }),
    scope: scopes.join(' '),
    created_at: Math.floor(now / 1000),
  }
  return { response, grant, scopes }
}
