import type { Id, Json, Timestamp } from '../columns.js'

/** The secret that a user shares with an app that shows codes (RFC 6238). */
export interface TotpFactorTable {
  user_id: number
  /** In base32. */
  secret_encrypted: string
  /** When the user first gave a code of it; null = it is not yet a factor. */
  confirmed_at: Timestamp | null
  /** The time step, of 30 seconds since 1970, of the last code that was accepted. */
  last_used_step: number | null
  created_at: Timestamp
}

/** A code that replaces the second factor once. */
export interface RecoveryCodeTable {
  id: Id
  user_id: number
  /** SHA-256, in hexadecimal. */
  digest: string
}

/** A public key of a user (Web Authentication). */
export interface PasskeyTable {
  id: Id
  user_id: number
  /** In base64url. */
  credential_id: string
  /** COSE key, in base64url. */
  public_key: string
  /** Of its last signature; 0 for passkeys that do not count. */
  counter: number
  transports: Json<string[]>
  name: string
  created_at: Timestamp
  last_used_at: Timestamp | null
}

/** Random bytes that a passkey has to sign, once. */
export interface PasskeyChallengeTable {
  /** In base64url. */
  challenge: string
  /** What the signature is for, and in which browser: `register session 7`. */
  purpose: string
  expires_at: Timestamp
}

/** A user who needs a second factor and has none. */
export interface TwoFactorDemandTable {
  user_id: number
  since: Timestamp
}

/** A browser whose user has given the first factor. */
export interface PendingSignInTable {
  id: Id
  user_id: number
  /** SHA-256 of the cookie, in hexadecimal. */
  digest: string
  /** How the user signs in. */
  facts: Json<unknown>
  return_to: string | null
  expires_at: Timestamp
  created_at: Timestamp
}
