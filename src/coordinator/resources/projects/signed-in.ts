import { unauthorized } from '../../http/errors.js'
import type { User } from '../../http/operation.js'

/** The caller of what is no reading: nobody without a credential gets that far. */
export function signedIn(user: User | undefined): User {
  if (!user) throw unauthorized()
  return user
}
