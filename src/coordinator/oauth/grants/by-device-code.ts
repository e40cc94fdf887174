import { tokenDigest } from '../../../lib/tokens.js'
import { inTransaction } from '../../database/transaction.js'
import { type DecidedRequest, findDeviceRequest, notePoll } from '../device/store.js'
import { type Issued, issueToken } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'
import { type GrantOfUser, revokeGrant, useCode } from '../store.js'
import type { GrantCall } from './grant-call.js'

/**
 * Trades the code of a device for tokens, once, as soon as somebody has allowed it (RFC 8628, 3.4 and 3.5). As with other
 * codes, one that comes again has been seen by somebody else: what it has given ends.
 */
export async function grantByDeviceCode({ database, client, given, byHeader }: GrantCall): Promise<Issued> {
  const code = given.required('device_code')
  const request = await findDeviceRequest(database, tokenDigest(code))
  if (request?.application_id !== client.id) throw new OauthError('invalid_grant')
  if (request.expires_at <= Date.now()) throw new OauthError('expired_token')
  if (!(await notePoll(database, request.id, byHeader))) throw new OauthError('slow_down')
  const grant = givenFor(request)
  if (grant.code_used_at === null) {
    if (grant.revoked_at !== null || grant.user_state !== 'active') throw new OauthError('invalid_grant')
    const issued = await inTransaction(database, async (tx) =>
      (await useCode(tx, grant.id)) ? issueToken(tx, grant, grant.scopes) : undefined,
    )
    if (issued) return issued
  }
  await revokeGrant(database, grant.id)
  throw new OauthError('invalid_grant')
}

/** Throws `access_denied`, and `authorization_pending` until there is something. */
function givenFor({ decision, grant }: DecidedRequest): GrantOfUser {
  if (decision === 'denied') throw new OauthError('access_denied')
  if (!grant) throw new OauthError('authorization_pending')
  return grant
}
