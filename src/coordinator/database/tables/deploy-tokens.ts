import type { Default, Id, Json, Timestamp } from '../columns.js'

/** A name and a token that read repositories without a user account. */
export interface DeployTokenTable {
  id: Id
  /**
   * Scope of the token: this project, or every project in this group. Without either, it is every project of
   * the instance.
   */
  project_id: number | null
  namespace_id: number | null
  creator_id: number | null
  name: string
  /** User name for git. */
  username: string
  /** SHA-256 of the token, in hexadecimal. */
  digest: string
  scopes: Json<string[]>
  revoked: Default<boolean>
  expires_at: Timestamp | null
  created_at: Timestamp
}
