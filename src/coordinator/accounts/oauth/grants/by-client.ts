import { inTransaction } from '../../../database/transaction.js'
import { insertGrant } from '../../oauth-grant-store.js'
import { requestedScopes } from '../grant-scopes.js'
import { type Issued, issueOauthToken } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'
import type { GrantCall } from './grant-call.js'

/**
 * Issues a token to the application itself (RFC 6749, 4.4). The token belongs to no user, and no operation
 * accepts it as a user.
 */
export async function grantByClient({ database, client, given }: GrantCall): Promise<Issued> {
  if (!client.confidential) throw new OauthError('unauthorized_client')
  const scopes = requestedScopes(given.text('scope'), client.scopes)
  return inTransaction(database, async (tx) => {
    const grant = await insertGrant(tx, {
      application_id: client.id,
      user_id: null,
      scopes: JSON.stringify(scopes),
      created_at: Date.now(),
    })
    return issueOauthToken(tx, grant, scopes)
  })
}
