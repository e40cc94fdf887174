import type { Id, Json, Timestamp } from '../columns.js'

/** A program to which users may give access to what is theirs: an OAuth client. */
export interface OauthApplicationTable {
  id: Id
  /** What it calls itself at our end points: its client id. */
  uid: string
  /** SHA-256 of the secret, hex. */
  secret_digest: string
  name: string
  /** Where users may be sent back to; at least one. */
  redirect_uris: Json<string[]>
  /** The most that it may be given. */
  scopes: Json<string[]>
  /** Whether it can keep its secret; a program on people's own machines or in a page cannot. */
  confidential: boolean
  created_at: Timestamp
}
