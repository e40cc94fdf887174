import type { Id, Timestamp } from '../columns.js'

/** A browser that is signed in. */
export interface WebSessionTable {
  id: Id
  user_id: number
  /** SHA-256 of the cookie, in hexadecimal. */
  token_digest: string
  /** The personal access token with which the user signed in; the session ends with it. */
  personal_token_id: number | null
  /** Milliseconds without a request after which it ends. */
  idle_timeout: number
  created_at: Timestamp
  /** Accurate to ten minutes. */
  last_used_at: Timestamp
  /** When it ends even if it is used. */
  expires_at: Timestamp
  /** When the user last proved with a password or a token who they are; null = not in this session. */
  confirmed_at: Timestamp | null
  /** IP address at the sign-in. */
  address: string
  user_agent: string | null
  /** The identity provider by which the user signed in; null for another method. */
  provider: string | null
  /** ID of the user at that provider. */
  provider_subject: string | null
  /** ID of the session at that provider, if it has given one. */
  provider_sid: string | null
  /** The second factor of the sign-in; null = it had none. */
  factor: SessionFactor | null
  /** From when on the session is only for setting up a second factor; null = the user needs none. */
  enrol_by: Timestamp | null
}

/** A value of an identity provider that is valid once, until it expires by itself. */
export interface UsedSignInTokenTable {
  /** SHA-256 in hexadecimal. */
  digest: string
  expires_at: Timestamp
}

/** An identity that a SAML provider has proven, until the browser comes to the callback. */
export interface ProvenSignInTable {
  /** SHA-256 of the token in the address of the callback, in hexadecimal. */
  digest: string
  provider: string
  /** The identity, and the request that the provider responded to. */
  content_encrypted: string
  expires_at: Timestamp
}

/** What proves a sign-in beside the password; `provider`: what the identity provider has asked for. */
export type SessionFactor = 'totp' | 'recovery_code' | 'passkey' | 'provider'

/** A link that signs a user in, once. */
export interface SignInLinkTable {
  id: Id
  user_id: number
  /** SHA-256 of the last part of its path, in hexadecimal. */
  digest: string
  /** The personal access token with which a session ends that the link opens. */
  personal_token_id: number | null
  /** Whether an administrator made it for the user. */
  is_by_administrator: boolean
  expires_at: Timestamp
  created_at: Timestamp
}

/** The terms of service that a user has accepted last. */
export interface TermsAcceptanceTable {
  user_id: number
  /** When these terms were set: `updated_at` of the setting `terms`. */
  terms_version: Timestamp
  accepted_at: Timestamp
}
