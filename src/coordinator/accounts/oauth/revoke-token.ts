import { tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { ApiError } from '../../http/errors.js'
import { authenticateClient, namesClient } from './client.js'
import type { Given } from './given.js'
import { findTokenOfGrant, revokeGrant, type TokenOfGrant } from './store.js'

/**
 * Ends a token, of either kind, with all that came of the same grant (RFC 7009). A token that is unknown is as good as
 * ended. Throws `invalid_client`, and 403 for a token of a confidential client that did not call.
 */
export async function revokeToken(
  database: Database,
  authorization: string | undefined,
  given: Given,
): Promise<void> {
  const client = namesClient(authorization, given)
    ? await authenticateClient(database, authorization, given)
    : undefined
  const token = await findEither(database, given.required('token'))
  if (!token) return
  // Whoever holds the token of a client without a secret has all that such a client could show.
  const isTheirs = client ? client.id === token.application_id : !token.confidential
  if (!isTheirs) {
    throw new ApiError(403, {
      error: 'unauthorized_client',
      error_description: 'You are not authorized to revoke this token',
    })
  }
  await revokeGrant(database, token.grant_id)
}

async function findEither(database: Database, token: string): Promise<TokenOfGrant | undefined> {
  const digest = tokenDigest(token)
  return (
    (await findTokenOfGrant(database, 'access_digest', digest)) ??
    (await findTokenOfGrant(database, 'refresh_digest', digest))
  )
}
