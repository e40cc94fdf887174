import type { Id, Timestamp } from '../columns.js'

/** Cache archives that jobs share, one row per project, protection and key. */
export interface CacheArchiveTable {
  id: Id
  project_id: number
  /**
   * Whether the job that saved it ran for a protected ref; jobs on unprotected refs can neither read nor
   * replace it.
   */
  protected: boolean
  /** SHA-256 of the key, in hexadecimal; keys are too long for an index. */
  key_digest: string
  key: string
  size: number
  /** SHA-256 of the archive, in hexadecimal. */
  sha256: string
  /** Digest of the files in the archive, as sent by the runner. */
  content: string | null
  blob_key: string
  created_at: Timestamp
  /** Time of the last save or restore. */
  used_at: Timestamp
}
