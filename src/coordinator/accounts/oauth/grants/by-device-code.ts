import { tokenDigest } from '../../../../lib/tokens.js'
import { type GrantOfUser, useCode } from '../../oauth-grant-store.js'
import { type DecidedRequest, findDeviceRequest, recordPoll } from '../device-request-store.js'
import type { Issued } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'
import type { GrantCall } from './grant-call.js'
import { issueOnce } from './issue-once.js'

/** Exchanges a device code for tokens, once the user has allowed the request (RFC 8628, 3.4 and 3.5). */
export async function grantByDeviceCode({ database, client, given, byHeader }: GrantCall): Promise<Issued> {
  const code = given.required('device_code')
  const request = await findDeviceRequest(database, tokenDigest(code))
  if (request?.application_id !== client.id) throw new OauthError('invalid_grant')
  if (request.expires_at <= Date.now()) throw new OauthError('expired_token')
  if (!(await recordPoll(database, request.id, byHeader))) throw new OauthError('slow_down')
  const grant = givenFor(request)
  const isRefused = grant.revoked_at !== null || grant.user_state !== 'active'
  if (isRefused && grant.code_used_at === null) throw new OauthError('invalid_grant')
  return issueOnce(database, grant, grant.scopes, (tx) => useCode(tx, grant.id))
}

/** Throws `access_denied`, or `authorization_pending` until the user decides. */
function givenFor({ decision, grant }: DecidedRequest): GrantOfUser {
  if (decision === 'denied') throw new OauthError('access_denied')
  if (!grant) throw new OauthError('authorization_pending')
  return grant
}
