import type { Default, Id, Json, Timestamp } from '../columns.js'

/** Who is not `active` can do nothing: tokens and passwords are refused, pipelines do not run (API, A16). */
export type UserState = 'active' | 'blocked' | 'banned' | 'deactivated' | 'blocked_pending_approval'

export interface UserTable {
  id: Id
  username: string
  name: string
  /** The primary address; private. */
  email: string
  state: UserState
  is_admin: boolean
  /** A bot holds the access token of a project or group; the ghost has what removed people have left. */
  kind: Default<'human' | 'bot' | 'ghost'>
  /** Sees no internal projects but those it is a member of. */
  external: Default<boolean>
  can_create_group: Default<boolean>
  /** How many projects the personal namespace may have. */
  projects_limit: Default<number>
  /** File name of the picture. */
  avatar: string | null
  created_at: Timestamp
}

/** What is read only when somebody is looked at. One row for each user. */
export interface UserProfileTable {
  user_id: number
  bio: string | null
  location: string | null
  public_email: string | null
  commit_email: string | null
  skype: string | null
  linkedin: string | null
  twitter: string | null
  discord: string | null
  website_url: string | null
  organization: string | null
  job_title: string | null
  pronouns: string | null
  /** By administrators, for administrators. */
  note: string | null
  private_profile: Default<boolean>
  theme_id: Default<number>
  color_scheme_id: Default<number>
  shared_runners_minutes_limit: number | null
  extra_shared_runners_minutes_limit: number | null
  view_diffs_file_by_file: Default<boolean>
  show_whitespace_in_diffs: Default<boolean>
  pass_user_identities_to_ci_jwt: Default<boolean>
  /** Where the picture lies in the blob store. */
  avatar_key: string | null
  confirmed_at: Timestamp | null
  /** Kept to ten minutes. */
  last_activity_at: Timestamp | null
  /** The latest time that they came in with the password of the account, and the IP address that they came from. */
  current_sign_in_at: Timestamp | null
  current_sign_in_ip: string | null
  /** The same of the time before. */
  last_sign_in_at: Timestamp | null
  last_sign_in_ip: string | null
  sign_in_count: Default<number>
  created_by_id: number | null
  updated_at: Timestamp
}

export interface UserPasswordTable {
  user_id: number
  /** See lib/password-hash.ts. */
  hash: string
  changed_at: Timestamp
}

export interface UserStatusTable {
  user_id: number
  emoji: string
  message: string | null
  availability: 'not_set' | 'busy'
  clear_at: Timestamp | null
}

/** Who somebody is to another service. */
export interface UserIdentityTable {
  id: Id
  user_id: number
  provider: string
  extern_uid: string
  saml_provider_id: number | null
}

/** Addresses beside the primary one. */
export interface UserEmailTable {
  id: Id
  user_id: number
  email: string
  /** Null for an address that its user has only claimed: nothing is shown, committed or refused because of it. */
  confirmed_at: Timestamp | null
  created_at: Timestamp
}

export interface UserFollowTable {
  follower_id: number
  followed_id: number
  created_at: Timestamp
}

export interface SshKeyTable {
  id: Id
  user_id: number
  title: string
  key: string
  /** MD5, hex with colons. */
  fingerprint: string
  /** Base64 without padding, after `SHA256:`. */
  fingerprint_sha256: string
  usage_type: 'auth' | 'signing' | 'auth_and_signing'
  expires_at: Timestamp | null
  created_at: Timestamp
}

export interface GpgKeyTable {
  id: Id
  user_id: number
  key: string
  /** Of the primary key, hex. */
  fingerprint: string
  created_at: Timestamp
}

export interface PersonalAccessTokenTable {
  id: Id
  user_id: number
  name: string
  description: string | null
  /** Made by an administrator to act as the user, who does not see it. */
  impersonation: Default<boolean>
  /** SHA-256 of the token, hex. */
  digest: string
  scopes: Json<string[]>
  revoked: Default<boolean>
  expires_at: Timestamp | null
  /** Kept to ten minutes. */
  last_used_at: Timestamp | null
  created_at: Timestamp
}

/** What a bot belongs to: a project or a group. */
export interface BotUserTable {
  user_id: number
  project_id: number | null
  namespace_id: number | null
}

/** Somebody who is being removed. */
export interface UserRemovalTable {
  user_id: number
  /** With what they have made, which otherwise goes to the ghost. */
  hard: boolean
  created_at: Timestamp
}
