import type { Id, Timestamp } from '../columns.js'

/** A project or a group, of which a row names one, that the members of another group may use. */
export interface ShareTable {
  id: Id
  project_id: number | null
  group_id: number | null
  with_group_id: number
  /** The most that the members of that group get by it (API, A15). */
  group_access: number
  /** From then on the row counts for nothing; null = never. */
  expires_at: Timestamp | null
  created_at: Timestamp
}
