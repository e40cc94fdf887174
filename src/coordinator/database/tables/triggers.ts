import type { Id, Timestamp } from '../columns.js'

/** Tokens with which others start pipelines of a project without a user's credential (API, I2). */
export interface TriggerTokenTable {
  id: Id
  project_id: number
  /** Its pipelines run with this user's rights. */
  owner_id: number
  description: string
  /** SHA-256, by which a token is found. */
  token_digest: string
  /** For its owner, to whom it is shown again. */
  token_encrypted: string
  /** The first characters after the prefix: tells tokens apart and gives none away. */
  short_token: string
  expires_at: Timestamp | null
  last_used: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}
