import type { Id, Timestamp } from '../columns.js'

/** Trigger tokens, which start pipelines of a project without user credentials (API, I2). */
export interface TriggerTokenTable {
  id: Id
  project_id: number
  /** Its pipelines run with the permissions of this user. */
  owner_id: number
  description: string
  /** SHA-256 of the token, to find it. */
  token_digest: string
  /** The encrypted token, to show it to its owner. */
  token_encrypted: string
  /** First characters after the prefix, which identify a token without revealing it. */
  short_token: string
  expires_at: Timestamp | null
  last_used: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}
