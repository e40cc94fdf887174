import type { Id, Json, NullableJson, Timestamp } from '../columns.js'

/**
 * Grant of a user to an application. All tokens issued for it refer to it and end with it. If a used code is
 * presented again, or a refresh token some time after its use, the grant is revoked with all its tokens.
 */
export interface OauthGrantTable {
  id: Id
  application_id: number
  /** Null for the client credentials grant. */
  user_id: number | null
  /** Maximum scopes of its tokens. */
  scopes: Json<string[]>
  /**
   * IDs of the projects that its tokens reach; null = all projects of the user. Projects that were deleted stay in the
   * list. With a list, the tokens only permit the operations of the scope `mcp`.
   */
  project_ids: NullableJson<number[]>
  /** SHA-256 of the authorization code, in hexadecimal; null without a code, as for a device. */
  code_digest: string | null
  code_expires_at: Timestamp | null
  /** Time at which the authorization code or device code was exchanged for tokens. */
  code_used_at: Timestamp | null
  /** As given in the authorization request; null if it was absent, or if there was no such request. */
  redirect_uri: string | null
  /**
   * PKCE challenge: base64url of the SHA-256 of the verifier that the client must present with the code (RFC
   * 7636).
   */
  code_challenge: string | null
  /** Returned in the ID token (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce: string | null
  revoked_at: Timestamp | null
  /** Time at which the user of the session has given a password or a token; null = at `created_at`, without a session. */
  auth_time: Timestamp | null
  /** Time at which the user granted access. */
  created_at: Timestamp
}

export interface OauthTokenTable {
  id: Id
  grant_id: number
  scopes: Json<string[]>
  /** SHA-256 of the access token, in hexadecimal. */
  access_digest: string
  /** SHA-256 of the refresh token, in hexadecimal; null without one. */
  refresh_digest: string | null
  /** Expiry time of the access token, a whole second. */
  expires_at: Timestamp
  /** Time at which the refresh token was first exchanged; both tokens are invalid since then. */
  refreshed_at: Timestamp | null
  created_at: Timestamp
}

/** Request of a device that cannot show a page; the user decides on another device (RFC 8628). */
export interface OauthDeviceRequestTable {
  id: Id
  application_id: number
  scopes: Json<string[]>
  /** SHA-256 of the device code, in hexadecimal. */
  device_digest: string
  /** SHA-256 of the letters of the user code, in hexadecimal. */
  user_digest: string
  /** Null until the user decides. */
  decision: 'allowed' | 'denied' | null
  /** Grant of the request; null unless it was allowed. */
  grant_id: number | null
  expires_at: Timestamp
  /** Time of the last poll, for each authentication method (see `recordPoll`). */
  polled_by_header_at: Timestamp | null
  polled_by_body_at: Timestamp | null
}
