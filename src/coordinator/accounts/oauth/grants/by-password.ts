import { apiErrorMessage } from '../../../../error-catalogue/api-errors.js'
import { inTransaction } from '../../../database/transaction.js'
import { insertGrant } from '../../oauth-grant-store.js'
import { requestedScopes } from '../grant-scopes.js'
import { type Issued, issueOauthToken } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'
import type { GrantCall } from './grant-call.js'

/**
 * Issues tokens for a username and password that the client has received (RFC 6749, 4.3). Throws `invalid_grant` for a user
 * with a second factor, which a client cannot give.
 */
export async function grantByPassword(call: GrantCall): Promise<Issued> {
  const { database, authenticator, client, given, guard, recordAudit } = call
  const username = given.required('username')
  const password = given.required('password')
  const scopes = requestedScopes(given.text('scope'), client.scopes)
  const found = await authenticator.identifyByFirstFactor(username, password, guard)
  if (!found) throw new OauthError('invalid_grant')
  if (found.needsSecondFactor) {
    throw new OauthError(
      'invalid_grant',
      apiErrorMessage('second_factor_needed').replace('403 Forbidden - ', ''),
    )
  }
  const { user } = found
  return inTransaction(database, async (tx) => {
    const grant = await insertGrant(tx, {
      application_id: client.id,
      user_id: user.id,
      scopes: JSON.stringify(scopes),
      created_at: Date.now(),
    })
    await recordAudit(tx, { user, client, scopes, projects: null })
    return issueOauthToken(tx, grant, scopes)
  })
}
