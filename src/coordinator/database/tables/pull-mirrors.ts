import type { Default, Id, Timestamp } from '../columns.js'

/** A repository from which a project takes over branches and tags. */
export interface PullMirrorTable {
  id: Id
  project_id: number
  /** The user who changes the branches; null if deleted. */
  user_id: number | null
  /** May contain credentials. */
  url_encrypted: string
  enabled: boolean
  only_protected_branches: Default<boolean>
  /** Whether branches that have diverged are moved nevertheless. */
  overwrites_diverged: Default<boolean>
  triggers_pipelines: Default<boolean>
  update_status: Default<'none' | 'scheduled' | 'started' | 'finished' | 'failed'>
  last_error: string | null
  last_update_at: Timestamp | null
  last_update_started_at: Timestamp | null
  last_successful_update_at: Timestamp | null
  due_at: Timestamp
  claimed_until: Timestamp | null
  created_at: Timestamp
}
