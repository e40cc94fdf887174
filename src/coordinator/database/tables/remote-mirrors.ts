import type { Id, Timestamp } from '../columns.js'

/** `none` = it was never pushed to. */
type MirrorStatus = 'none' | 'started' | 'finished' | 'failed'

/** A repository to which a project is mirrored (API, C2). */
export interface RemoteMirrorTable {
  id: Id
  project_id: number
  /** The user for whom it is pushed to; null if deleted. */
  user_id: number | null
  /** With user name and password. */
  url_encrypted: string
  enabled: boolean
  only_protected_branches: boolean
  /** Whether branches and tags that have diverged in the target are kept. */
  keep_divergent_refs: boolean
  update_status: MirrorStatus
  /** Null = the last push succeeded, or there was none. */
  last_error: string | null
  last_update_at: Timestamp | null
  last_update_started_at: Timestamp | null
  last_successful_update_at: Timestamp | null
  /** End of the claim of a worker; null = unclaimed. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}
