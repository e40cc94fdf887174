import type { CallerSession, User } from '../access/caller.js'
import { recordConfirmation } from '../database/stores/web-session-store.js'
import { CONFIRMATION_LIFE } from '../http/authentication/confirmation.js'
import { hasOneOf } from '../http/authentication/scopes.js'
import { ApiError, apiError } from '../http/errors.js'
import { isoTime } from '../http/presenters/present-time.js'
import type { Confirmed } from './schema.js'
import type { SessionDeps } from './session-deps.js'

type ConfirmDeps = Pick<SessionDeps, 'database' | 'authenticator' | 'guardOf'>

/**
 * Renews the confirmation of a session. Throws 403 for a wrong password or token and for that of another user, and 429
 * after too many.
 */
export async function confirmSession(
  deps: ConfirmDeps,
  { user, session, address }: { user: User; session: CallerSession; address: string },
  given: { password?: string; token?: string },
): Promise<Confirmed> {
  const guard = deps.guardOf(address)
  guard.check()
  const proven =
    given.password === undefined
      ? await userOfToken(deps, given.token ?? '')
      : await deps.authenticator.identifyByPassword(user.username, given.password, guard)
  if (proven?.id !== user.id) {
    await guard.failed()
    throw apiError(given.password === undefined ? 'wrong_token' : 'wrong_password')
  }
  const now = Date.now()
  await recordConfirmation(deps.database, session.id, now)
  return { confirmed_at: isoTime(now), valid_until: isoTime(now + CONFIRMATION_LIFE) }
}

async function userOfToken({ authenticator }: ConfirmDeps, token: string): Promise<User | undefined> {
  try {
    const caller = await authenticator.identify({ kind: 'personal', token })
    return caller.kind === 'user' && hasOneOf(caller.scopes, ['api']) ? caller.user : undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  }
}
