import type { Id, Timestamp } from '../columns.js'

/**
 * Access level of a user in a project or a group (one of the two is set; API, A15): 10 guest, 20 reporter, 30
 * developer, 40 maintainer, 50 owner.
 */
export interface MemberTable {
  id: Id
  project_id: number | null
  group_id: number | null
  user_id: number
  access_level: number
  /** Expiry time, from which on the row has no effect; null = never. */
  expires_at: Timestamp | null
  created_by_id: number | null
  created_at: Timestamp
}

/** Marks a membership that an identity provider has given, and takes away. */
export interface ProviderMembershipTable {
  member_id: number
  provider: string
}

/** A user who requests access to a project or a group. */
export interface AccessRequestTable {
  id: Id
  project_id: number | null
  group_id: number | null
  user_id: number
  requested_at: Timestamp
}

/** An invitation: a membership for the future user with this e-mail address. */
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
