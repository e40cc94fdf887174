import type { Database } from '../../../database/connect.js'
import type { TokenOfGrant } from '../../oauth-grant-store.js'
import { authenticateClient } from '../client.js'
import type { Given } from '../given.js'
import { REFRESH_LIFE } from '../lifetimes.js'
import { findEither } from '../revoke-token.js'
import { subjectOf } from './claims.js'

/** RFC 7662, 2.2. */
export type Introspection =
  | { active: false }
  | {
      active: true
      scope: string
      client_id: string
      token_type: 'Bearer'
      /** Seconds since the epoch. */
      exp: number
      iat: number
      iss: string
      /** Absent for a token of the client credentials grant. */
      sub?: string
    }

/**
 * Describes an access or refresh token to the client that it was issued to; any other token is inactive. Throws
 * `invalid_client`.
 */
export async function introspectToken(
  { database, issuer }: { database: Database; issuer: string },
  authorization: string | undefined,
  given: Given,
): Promise<Introspection> {
  const client = await authenticateClient(database, authorization, given)
  const { token, isRefresh } = await findEither(database, given.required('token'))
  if (token?.application_id !== client.id || !isActive(token)) return { active: false }
  const expiresAt = isRefresh ? token.created_at + REFRESH_LIFE : token.expires_at
  if (expiresAt <= Date.now()) return { active: false }
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: client.uid,
    token_type: 'Bearer',
    exp: Math.floor(expiresAt / 1000),
    iat: Math.floor(token.created_at / 1000),
    iss: issuer,
    ...(token.user_id !== null && { sub: subjectOf(token.user_id) }),
  }
}

function isActive({ revoked_at, refreshed_at, user_state }: TokenOfGrant): boolean {
  return revoked_at === null && refreshed_at === null && (user_state === null || user_state === 'active')
}
