import type { Id, Json, Timestamp } from '../columns.js'

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
  /** SHA-256 of the authorization code, hex; null where there was none, as for a device. */
  code_digest: string | null
  code_expires_at: Timestamp | null
  /** When it was traded for tokens, or the code of the device was. */
  code_used_at: Timestamp | null
  /** As the authorization request named it; null where it did not, or where there was no such request. */
  redirect_uri: string | null
  /** The SHA-256 of a secret that whoever trades the code in must know (RFC 7636), base64url. */
  code_challenge: string | null
  /** What the client wants to find again in the id token (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: string | null
  revoked_at: Timestamp | null
  /** When the user gave it, with the password. */
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

/** What a device asks for that cannot show a page: somebody decides on it elsewhere (RFC 8628). */
export interface OauthDeviceRequestTable {
  id: Id
  application_id: number
  scopes: Json<string[]>
  /** SHA-256 of the code that the device asks with, hex. */
  device_digest: string
  /** SHA-256 of the code that people type, hex: of its letters alone. */
  user_digest: string
  /** Null until somebody has decided. */
  decision: 'allowed' | 'denied' | null
  /** What was given; null unless it was allowed. */
  grant_id: number | null
  expires_at: Timestamp
  /** When the device last asked, by each way in which it may show who it is (see `recordPoll`). */
  polled_by_header_at: Timestamp | null
  polled_by_body_at: Timestamp | null
}
