import { tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import { authenticateClient } from '../client.js'
import type { Given } from '../given.js'
import { requestedScopes } from '../grant-scopes.js'
import { newSecret } from '../issue-token.js'
import { DEVICE_LIFE, POLL_SECONDS } from '../lifetimes.js'
import { insertDeviceRequest } from './store.js'
import { newUserCode, shownUserCode } from './user-code.js'

/** What a device is told that cannot show a page (RFC 8628, 3.2). */
export interface DeviceAnswer {
  /** What it asks for tokens with. */
  device_code: string
  /** What people type. */
  user_code: string
  /** Where they type it. */
  verification_uri: string
  verification_uri_complete: string
  /** Seconds. */
  expires_in: number
  /** Seconds between two polls. */
  interval: number
}

/** The only moment at which the codes themselves are known. Throws `invalid_client` and `invalid_scope`. */
export async function requestDevice(
  { database, issuer }: { database: Database; issuer: string },
  authorization: string | undefined,
  given: Given,
): Promise<DeviceAnswer> {
  const client = await authenticateClient(database, authorization, given)
  const scopes = requestedScopes(given.text('scope'), client.scopes)
  const deviceCode = newSecret()
  const userCode = await keepRequest(database, {
    application_id: client.id,
    scopes: JSON.stringify(scopes),
    device_digest: tokenDigest(deviceCode),
    expires_at: Date.now() + DEVICE_LIFE,
  })
  const page = `${issuer}/oauth/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${userCode}`,
    expires_in: DEVICE_LIFE / 1000,
    interval: POLL_SECONDS,
  }
}

type Kept = Omit<Parameters<typeof insertDeviceRequest>[1], 'user_digest'>

/** Answers the code for people. One that is taken is drawn again: it is short. */
async function keepRequest(database: Database, values: Kept): Promise<string> {
  const code = newUserCode()
  const isKept = await insertDeviceRequest(database, { ...values, user_digest: tokenDigest(code) })
  return isKept ? shownUserCode(code) : keepRequest(database, values)
}
