import { isoDateOrNull, isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import type { TokenRecord } from './schema.js'
import type { TokenRow } from './store.js'

/** `accessLevel` of a project or group token. */
export function presentToken(row: TokenRow, accessLevel?: number): TokenRecord {
  const { id, name, description, revoked, scopes, user_id } = row
  return {
    id,
    name,
    description,
    revoked,
    created_at: isoTime(row.created_at),
    scopes,
    user_id,
    last_used_at: isoTimeOrNull(row.last_used_at),
    active: !revoked && (row.expires_at === null || row.expires_at > Date.now()),
    expires_at: isoDateOrNull(row.expires_at),
    ...(row.impersonation && { impersonation: true }),
    ...(accessLevel !== undefined && { access_level: accessLevel }),
  }
}
