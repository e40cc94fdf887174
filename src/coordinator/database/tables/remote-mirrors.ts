import type { Id, Timestamp } from '../columns.js'

/** `none` = it was never pushed to. */
export type MirrorStatus = 'none' | 'started' | 'finished' | 'failed'

/** A repository elsewhere that the one of a project is pushed to (API, C2). */
export interface RemoteMirrorTable {
  id: Id
  project_id: number
  /** With user name and password. */
  url_encrypted: string
  enabled: boolean
  only_protected_branches: boolean
  /** Branches and tags that have changed there are left as they are. */
  keep_divergent_refs: boolean
  update_status: MirrorStatus
  /** Null = the last push went well, or there was none. */
  last_error: string | null
  last_update_at: Timestamp | null
  last_update_started_at: Timestamp | null
  last_successful_update_at: Timestamp | null
  /** Until when the coordinator that pushes is believed to be alive; null = nobody does. */
  claimed_until: Timestamp | null
  created_at: Timestamp
}
