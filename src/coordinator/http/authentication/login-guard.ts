import type { User } from '../../access/caller.js'

/** Keeps somebody who shows git one password after the other from going on, and remembers that they did. */
export interface LoginGuard {
  /** Throws 429 before a password is looked at. */
  check: () => void
  /** Neither a token nor a password was right. Throws 429 for one too many. */
  failed: () => Promise<void>
  /** An account was not let in: the password was wrong, or the user is blocked. */
  refused: (user: User) => Promise<void>
  /** The password of the account was right. */
  accepted: (user: User) => void
}
