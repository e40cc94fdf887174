import type { Id, Timestamp } from '../columns.js'

/**
 * `primary_email`: confirms an address as that of the account; `other_email`: as another one of the user;
 * `password`: sets a password.
 */
export type AccountLinkKind = 'primary_email' | 'other_email' | 'password'

/** A link in a mail that changes an account, once. */
export interface AccountLinkTable {
  id: Id
  user_id: number
  kind: AccountLinkKind
  /** Where the mail went. */
  email: string
  /** SHA-256 of the token, in hexadecimal. */
  digest: string
  expires_at: Timestamp
  created_at: Timestamp
}
