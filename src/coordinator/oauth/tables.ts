import type { Id, Json, Timestamp } from '../database/columns.js'

/**
 * What somebody has given to an application, once. All the tokens that came of it hang on it: with it they end, so that
 * a code or a refresh token that comes back is answered by ending them all.
 */
export interface OauthGrantTable {
  id: Id
  application_id: number
  /** Null where the application acts for itself. */
  user_id: number | null
  /** The most that its tokens may do. */
  scopes: Json<string[]>
  /** SHA-256 of the authorization code, hex; null where there was none. */
  code_digest: string | null
  code_expires_at: Timestamp | null
  code_used_at: Timestamp | null
  /** As the authorization request named it; null where it did not, or where there was no such request. */
  redirect_uri: string | null
  /** The SHA-256 of a secret that whoever trades the code in must know (RFC 7636), base64url. */
  code_challenge: string | null
  revoked_at: Timestamp | null
  created_at: Timestamp
}

export interface OauthTokenTable {
  id: Id
  grant_id: number
  scopes: Json<string[]>
  /** SHA-256 of the access token, hex. */
  access_digest: string
  /** SHA-256 of the refresh token, hex; null where there is none. */
  refresh_digest: string | null
  /** When the access token ends, on a whole second. */
  expires_at: Timestamp
  /** When the refresh token was traded for new ones: neither is good for anything since. */
  refreshed_at: Timestamp | null
  created_at: Timestamp
}
