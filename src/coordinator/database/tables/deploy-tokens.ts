import type { Default, Id, Json, Timestamp } from '../columns.js'

/** A name and a secret that read repositories without being a user. */
export interface DeployTokenTable {
  id: Id
  /** What it reaches: this project, or every project in this group; neither = every project of the instance. */
  project_id: number | null
  namespace_id: number | null
  creator_id: number | null
  name: string
  /** What git is given as the user name. */
  username: string
  /** SHA-256 of the token, hex. */
  digest: string
  scopes: Json<string[]>
  revoked: Default<boolean>
  expires_at: Timestamp | null
  created_at: Timestamp
}
