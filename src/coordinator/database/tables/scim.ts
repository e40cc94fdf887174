import type { Default, Id, Timestamp } from '../columns.js'
import type { UserState } from './users.js'

/** The token with which an identity provider manages its accounts. */
export interface ScimTokenTable {
  /** Name of the provider in the settings. */
  provider: string
  /** SHA-256, in hexadecimal. */
  digest: string
  created_by_id: number | null
  created_at: Timestamp
  last_used_at: Timestamp | null
}

/** What a provider says about an account that it manages. Its ID there is in `user_identity`. */
export interface ScimUserTable {
  user_id: number
  provider: string
  user_name: string
  email: string
  display_name: string | null
  formatted_name: string | null
  given_name: string | null
  family_name: string | null
  /** What the provider says; administrators may have blocked the account nevertheless. */
  active: boolean
  /** The state before the provider blocked the account; null if it has not. */
  state_before_block: UserState | null
  /** Whether the memberships have to be changed, because SCIM groups of the user have changed. */
  has_group_changes: Default<boolean>
  /** When the provider deleted the user: the account is blocked and no longer shown to the provider. */
  deleted_at: Timestamp | null
  created_at: Timestamp
  updated_at: Timestamp
}

/** A group of a provider. */
export interface ScimGroupTable {
  id: Id
  provider: string
  display_name: string
  external_id: string | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ScimGroupMemberTable {
  scim_group_id: number
  user_id: number
}
