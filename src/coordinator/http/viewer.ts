import type { Caller, User } from '../access/caller.js'
import { unauthorized } from './errors.js'

/** The user behind a caller; undefined for callers without a credential. */
export function viewerOf(caller: Caller): User | undefined {
  return caller.kind === 'anonymous' ? undefined : caller.user
}

/** The caller of an operation that requires a user. Throws 401 without one. */
export function signedIn(user: User | undefined): User {
  if (!user) throw unauthorized()
  return user
}
