import type { Default, Id, Json, Timestamp } from '../columns.js'

/**
 * Only `active` users can do anything: for others, tokens and passwords are refused and pipelines do not run
 * (API, A16).
 */
export type UserState =
  | 'active'
  | 'blocked'
  /** Because the user is gone at a directory. */
  | 'ldap_blocked'
  | 'banned'
  | 'deactivated'
  | 'blocked_pending_approval'

export interface UserTable {
  id: Id
  username: string
  name: string
  /** The primary e-mail address, which is private. */
  email: string
  state: UserState
  is_admin: boolean
  /** A bot has the access token of a project or group; the ghost owns the contributions of deleted users. */
  kind: Default<'human' | 'bot' | 'ghost'>
  /** Whether the user sees only those internal projects of which they are a member. */
  external: Default<boolean>
  can_create_group: Default<boolean>
  /** Maximum number of projects in the personal namespace. */
  projects_limit: Default<number>
  /** File name of the avatar. */
  avatar: string | null
  created_at: Timestamp
}

/** Columns that are read only for user records, one row per user. */
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
  /** Note by administrators, visible to administrators only. */
  note: string | null
  private_profile: Default<boolean>
  theme_id: Default<number>
  color_scheme_id: Default<number>
  shared_runners_minutes_limit: number | null
  extra_shared_runners_minutes_limit: number | null
  view_diffs_file_by_file: Default<boolean>
  show_whitespace_in_diffs: Default<boolean>
  pass_user_identities_to_ci_jwt: Default<boolean>
  /** Blob key of the avatar. */
  avatar_key: string | null
  confirmed_at: Timestamp | null
  /** Accurate to ten minutes. */
  last_activity_at: Timestamp | null
  /** Time and IP address of the latest sign-in with the account password. */
  current_sign_in_at: Timestamp | null
  current_sign_in_ip: string | null
  /** As `current_sign_in_ip`, for the previous sign-in. */
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

/** Identity of a user at an external provider. */
export interface UserIdentityTable {
  id: Id
  user_id: number
  provider: string
  extern_uid: string
  saml_provider_id: number | null
  /** Since when the user is gone at the directory; null = the user is there, or the provider is no directory. */
  gone_at: Timestamp | null
}

/** Secondary e-mail addresses. */
export interface UserEmailTable {
  id: Id
  user_id: number
  email: string
  /** Null for an unconfirmed address, which is neither shown nor used in commits, and reserves nothing. */
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
  /** MD5, in hexadecimal with colons. */
  fingerprint: string
  /** Base64 without padding, after `SHA256:`. */
  fingerprint_sha256: string
  usage_type: 'auth' | 'signing' | 'auth_and_signing'
  expires_at: Timestamp | null
  /** To ten minutes; null = never. */
  last_used_at: Default<Timestamp | null>
  /** Whether the user got a mail because it ends soon. */
  reminded: Default<boolean>
  created_at: Timestamp
}

export interface GpgKeyTable {
  id: Id
  user_id: number
  key: string
  /** Fingerprint of the primary key, in hexadecimal. */
  fingerprint: string
  created_at: Timestamp
}

export interface PersonalAccessTokenTable {
  id: Id
  user_id: number
  name: string
  description: string | null
  /** Whether an administrator created it to impersonate the user, who does not see it. */
  impersonation: Default<boolean>
  /** SHA-256 of the token, in hexadecimal. */
  digest: string
  scopes: Json<string[]>
  revoked: Default<boolean>
  expires_at: Timestamp | null
  /** Whether the user was reminded that it ends soon. */
  reminded: Default<boolean>
  /** Accurate to ten minutes. */
  last_used_at: Timestamp | null
  created_at: Timestamp
}

/** Project or group of a bot. */
export interface BotUserTable {
  user_id: number
  project_id: number | null
  namespace_id: number | null
}

/** A user whose deletion is not finished. */
export interface UserRemovalTable {
  user_id: number
  /** Whether contributions are deleted too; otherwise they are assigned to the ghost. */
  hard: boolean
  created_at: Timestamp
}
