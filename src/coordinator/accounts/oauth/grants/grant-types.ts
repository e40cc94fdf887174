import type { Issued } from '../issue-token.js'
import { grantByClient } from './by-client.js'
import { grantByCode } from './by-code.js'
import { grantByDeviceCode } from './by-device-code.js'
import { grantByPassword } from './by-password.js'
import { grantByRefreshToken } from './by-refresh-token.js'
import type { GrantCall } from './grant-call.js'

/** Grant handlers by `grant_type` (API, A14). */
export const GRANTS = new Map<string, (call: GrantCall) => Promise<Issued>>([
  ['authorization_code', grantByCode],
  ['refresh_token', grantByRefreshToken],
  ['password', grantByPassword],
  ['client_credentials', grantByClient],
  ['urn:ietf:params:oauth:grant-type:device_code', grantByDeviceCode],
])

/** Those of applications that have registered themselves: a user allows each of their grants on a page. */
export const DYNAMIC_GRANT_TYPES = new Set([grantByCode, grantByRefreshToken, grantByDeviceCode])

export const GRANT_TYPES = [...GRANTS.keys()]
