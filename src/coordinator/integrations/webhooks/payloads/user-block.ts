import type { User } from '../../../access/caller.js'
import { presentUser } from '../../../http/presenters/present-user.js'

/** Replaces an e-mail address that is not public. */
const HIDDEN_EMAIL = '[REDACTED]'

/** A user with the public part of the profile. */
export type HookUser = User & { public_email: string | null }

export function userBlock(user: HookUser, externalUrl: string) {
  const { id, name, username, avatar_url } = presentUser(user, externalUrl)
  return { id, name, username, avatar_url, email: user.public_email || HIDDEN_EMAIL }
}
