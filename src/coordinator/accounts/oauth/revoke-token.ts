import { apiErrorMessage } from '../../../error-catalogue/api-errors.js'
import { tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { ApiError } from '../../http/errors.js'
import { findTokenOfGrant, revokeGrant, type TokenOfGrant } from '../oauth-grant-store.js'
import { authenticateClient, namesClient } from './client.js'
import type { Given } from './given.js'

/**
 * Revokes a token of either kind, with all tokens of the same grant (RFC 7009). An unknown token counts as
 * revoked. Throws `invalid_client`, and 403 for a token of a confidential client that is not the caller.
 */
export async function revokeOauthToken(
  database: Database,
  authorization: string | undefined,
  given: Given,
): Promise<void> {
  const client = namesClient(authorization, given)
    ? await authenticateClient(database, authorization, given)
    : undefined
  const { token } = await findEither(database, given.required('token'))
  if (!token) return
  // A public client has no secret, so its token is sufficient to revoke it.
  const isTheirs = client ? client.id === token.application_id : !token.confidential
  if (!isTheirs) {
    throw new ApiError('token_of_other_client', {
      error: 'unauthorized_client',
      error_description: apiErrorMessage('token_of_other_client'),
    })
  }
  await revokeGrant(database, token.grant_id)
}

/** Finds a token of either kind. */
export async function findEither(
  database: Database,
  text: string,
): Promise<{ token: TokenOfGrant | undefined; isRefresh: boolean }> {
  const digest = tokenDigest(text)
  const token = await findTokenOfGrant(database, 'access_digest', digest)
  if (token) return { token, isRefresh: false }
  return { token: await findTokenOfGrant(database, 'refresh_digest', digest), isRefresh: true }
}
