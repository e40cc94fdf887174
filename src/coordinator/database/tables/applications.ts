import type { Default, Id, Json, Timestamp } from '../columns.js'

/** An OAuth application, to which users can grant access. */
export interface OauthApplicationTable {
  id: Id
  /** Its `client_id`. */
  uid: string
  /** SHA-256 of the secret, in hexadecimal. */
  secret_digest: string
  name: string
  /** Redirect URIs; at least one. */
  redirect_uris: Json<string[]>
  /** Scopes that it may request. */
  scopes: Json<string[]>
  /**
   * Whether the application can keep its secret confidential. An application on user devices or in a web page
   * cannot.
   */
  confidential: boolean
  /** The user who has registered it; null = an administrator, for the instance. */
  owner_id: number | null
  /** Whether it has registered itself (RFC 7591); then nobody has verified it, and `owner_id` is null. */
  dynamic: Default<boolean>
  created_at: Timestamp
}
