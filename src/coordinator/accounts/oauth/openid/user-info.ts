import type { Database } from '../../../database/connect.js'
import { insufficientScope } from '../../../http/authentication/scopes.js'
import { OPENID } from '../grant-scopes.js'
import { OauthError } from '../oauth-errors.js'
import { findGoodToken } from '../token-info.js'
import { type Claims, profileClaims, roleClaims, subjectOf } from './claims.js'
import { directGroups, pathsOfGroups, readPerson } from './store.js'

/**
 * Claims about the user of an access token (OpenID Connect Core 1.0, 5.3). Throws `invalid_token`, 403 for a
 * token without `openid`, and 403 if the user is blocked.
 */
export async function userInfo(
  { database, externalUrl }: { database: Database; externalUrl: string },
  token: string | undefined,
): Promise<Claims> {
  const { user_id, scopes } = await findGoodToken(database, token)
  if (!scopes.includes(OPENID)) throw insufficientScope([OPENID])
  if (user_id === null) throw new OauthError('invalid_token', 'The access token does not belong to a user')
  return {
    sub: subjectOf(user_id),
    ...profileClaims(await readPerson(database, user_id), scopes, externalUrl),
    groups: await pathsOfGroups(database, user_id),
    ...roleClaims(await directGroups(database, user_id)),
  }
}
