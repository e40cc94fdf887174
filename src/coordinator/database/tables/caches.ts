import type { Id, Timestamp } from '../columns.js'

/** Archives of caches that jobs share. One row for each project, trust and key. */
export interface CacheArchiveTable {
  id: Id
  project_id: number
  /** Whether the job that saved it ran for a protected ref; others neither see nor replace it. */
  protected: boolean
  /** SHA-256 of the key as hex: keys are too long for an index. */
  key_digest: string
  key: string
  size: number
  /** Hex, of the archive. */
  sha256: string
  /** Digest of the files in it, as the runner says. */
  content: string | null
  blob_key: string
  created_at: Timestamp
  /** When it was last saved or restored. */
  used_at: Timestamp
}
