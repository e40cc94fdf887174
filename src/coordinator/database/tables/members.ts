import type { Id, Timestamp } from '../columns.js'

/**
 * A user's level in a project or in a group, of which a row names one (API, A15): 10 guest, 20 reporter,
 * 30 developer, 40 maintainer, 50 owner.
 */
export interface MemberTable {
  id: Id
  project_id: number | null
  group_id: number | null
  user_id: number
  access_level: number
  /** From then on the row counts for nothing; null = never. */
  expires_at: Timestamp | null
  created_by_id: number | null
  created_at: Timestamp
}

/** Somebody who asks to become a member of a project or a group. */
export interface AccessRequestTable {
  id: Id
  project_id: number | null
  group_id: number | null
  user_id: number
  requested_at: Timestamp
}

/** A membership that waits for a user with this e-mail address. */
export interface InvitationTable {
  id: Id
  project_id: number | null
  group_id: number | null
  email: string
  access_level: number
  expires_at: Timestamp | null
  created_by_id: number | null
  created_at: Timestamp
}
