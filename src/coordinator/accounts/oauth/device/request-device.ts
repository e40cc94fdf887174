import { tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import { authenticateClient } from '../client.js'
import { insertDeviceRequest } from '../device-request-store.js'
import type { Given } from '../given.js'
import { requestedScopes } from '../grant-scopes.js'
import { newSecret } from '../issue-token.js'
import { DEVICE_LIFE, POLL_SECONDS } from '../lifetimes.js'
import { newUserCode, shownUserCode } from './user-code.js'

/** Response to a device that cannot show a page (RFC 8628, 3.2). */
export interface DeviceResponse {
  /** Code with which the device requests tokens. */
  device_code: string
  /** Code that the user enters. */
  user_code: string
  /** Page on which the user enters the code. */
  verification_uri: string
  verification_uri_complete: string
  /** Lifetime of the codes, in seconds. */
  expires_in: number
  /** Minimum interval between polls, in seconds. */
  interval: number
}

/**
 * Creates a device request and returns its codes, of which only digests are stored. Throws `invalid_client`
 * and `invalid_scope`.
 */
export async function requestDevice(
  { database, issuer }: { database: Database; issuer: string },
  authorization: string | undefined,
  given: Given,
): Promise<DeviceResponse> {
  const client = await authenticateClient(database, authorization, given)
  const scopes = requestedScopes(given.text('scope'), client.scopes)
  const deviceCode = newSecret()
  const userCode = await storeRequest(database, {
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

/** Stores the request and returns its user code. User codes are short, so a taken one is replaced. */
async function storeRequest(database: Database, values: Kept): Promise<string> {
  const code = newUserCode()
  const isKept = await insertDeviceRequest(database, { ...values, user_digest: tokenDigest(code) })
  return isKept ? shownUserCode(code) : storeRequest(database, values)
}
