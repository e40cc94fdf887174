import type { User } from '../../access/caller.js'

/** Limits password guessing from one address, and records failed attempts. */
export interface LoginGuard {
  /** IP address of the client. */
  address?: string
  /** Throws 429 before a password is checked. */
  check: () => void
  /** Records that neither a token nor a password was correct. Throws 429 for one failure too many. */
  failed: () => Promise<void>
  /** Called when a sign-in fails: the password was wrong, or the user is blocked. */
  refused: (user: User) => Promise<void>
  /** The password of the account was right. */
  accepted: (user: User) => void
}
