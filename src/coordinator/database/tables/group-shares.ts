import type { Id, Timestamp } from '../columns.js'

/** A share of a project or a group (one of the two is set) with the members of another group. */
export interface ShareTable {
  id: Id
  project_id: number | null
  group_id: number | null
  with_group_id: number
  /** Maximum access level of the members of that group (API, A15). */
  group_access: number
  /** Expiry time, from which on the row has no effect; null = never. */
  expires_at: Timestamp | null
  created_at: Timestamp
}
