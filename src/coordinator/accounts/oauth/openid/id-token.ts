import { hash } from 'node:crypto'

import type { TokenSigner } from '../../../crypto/token-signer.js'
import type { Database } from '../../../database/connect.js'
import type { Client } from '../client.js'
import { OPENID } from '../grant-scopes.js'
import type { Issued, TokenResponse } from '../issue-token.js'
import { ID_TOKEN_SECONDS } from '../lifetimes.js'
import { type Claims, profileClaims, subjectOf } from './claims.js'
import { directGroups, readPerson } from './store.js'

interface Deps {
  database: Database
  signer: Pick<TokenSigner, 'issuer' | 'sign'>
}

/**
 * Adds an ID token to the response if the scope `openid` was granted (OpenID Connect Core 1.0, 3.1.3.3 and
 * 12.2).
 *
 * ID tokens of jobs have the same issuer and key (CI language, 3.17) and choose their audience, which may be
 * a client. The two kinds cannot be confused: the subject of a user is a number, and that of a job begins
 * with `project_path:`. They also share no identifying claim. So a job cannot pose as a user, whichever claim
 * a client checks.
 */
export async function withIdToken(deps: Deps, client: Client, issued: Issued): Promise<TokenResponse> {
  const { response, grant, scopes } = issued
  if (grant.user_id === null || !scopes.includes(OPENID)) return response
  const now = Math.floor(Date.now() / 1000)
  const id_token = await deps.signer.sign({
    ...(await claimsOfUser(deps, grant.user_id, scopes)),
    sub: subjectOf(grant.user_id),
    aud: client.uid,
    iat: now,
    exp: now + ID_TOKEN_SECONDS,
    auth_time: Math.floor((grant.auth_time ?? grant.created_at) / 1000),
    at_hash: hashOf(response.access_token),
    ...(grant.nonce !== null && { nonce: grant.nonce }),
  })
  return { ...response, id_token }
}

async function claimsOfUser(
  { database, signer }: Deps,
  userId: number,
  scopes: readonly string[],
): Promise<Claims> {
  const groups = await directGroups(database, userId)
  return {
    ...profileClaims(await readPerson(database, userId), scopes, signer.issuer),
    groups_direct: groups.map(({ full_path }) => full_path),
  }
}

/**
 * `at_hash`, which binds the ID token to the access token (3.1.3.6): for RS256, from the first half of a
 * SHA-256.
 */
function hashOf(accessToken: string): string {
  return hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url')
}
