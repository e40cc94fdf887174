import type { Caller, User } from '../access/caller.js'
import { unauthorized } from './errors.js'

/** Who looks: undefined for callers without a credential. */
export function viewerOf(caller: Caller): User | undefined {
  return caller.kind === 'anonymous' ? undefined : caller.user
}

/** The caller of what is no reading: nobody without a credential gets that far. Throws 401 should it happen. */
export function signedIn(user: User | undefined): User {
  if (!user) throw unauthorized()
  return user
}
