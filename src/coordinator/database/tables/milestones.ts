import type { Id, Timestamp } from '../columns.js'

/** A milestone of a project or of a group: one of the two IDs is set (API, G4). */
export interface MilestoneTable {
  id: Id
  project_id: number | null
  group_id: number | null
  /** Number within the project or group; never used again. */
  iid: number
  title: string
  description: string | null
  state: 'active' | 'closed'
  /** `YYYY-MM-DD`; null = none. */
  start_date: string | null
  /** `YYYY-MM-DD`, after `start_date`; null = none. */
  due_date: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** A milestone that a release completes. */
export interface ReleaseMilestoneTable {
  release_id: number
  milestone_id: number
}
