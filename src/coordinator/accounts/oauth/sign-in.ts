import type { FastifyRequest } from 'fastify'

import type { User } from '../../access/caller.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { recordConfirmation } from '../../database/stores/web-session-store.js'
import { CSRF_PARAMETER } from '../../http/authentication/csrf.js'
import { ApiError } from '../../http/errors.js'
import { mustAcceptTerms } from '../terms/terms.js'
import type { Given } from './given.js'
import type { OauthDeps } from './oauth-deps.js'
import type { Refusal } from './pages/sign-in-fields.js'

const NO_PASSWORDS = 'This instance accepts no passwords. Sign in with a token first.'
const MUST_ACCEPT_TERMS = 'Sign in to this instance first, to accept its terms of service.'

export type SignedIn = { user: User; refusal?: undefined } | { user?: undefined; refusal: Refusal }

/** The user of a submitted sign-in form, or the error message. Throws 429 after too many wrong passwords. */
async function signIn(
  { database, authenticator, rateLimits, guardOf }: OauthDeps,
  address: string,
  given: Given,
): Promise<SignedIn> {
  const username = given.text('username') ?? ''
  const refused = (status: number, message: string) => ({ refusal: { status, message, username } })
  const setting = 'password_authentication_enabled_for_web'
  if (!(await effectiveSettings(database, setting))[setting]) return refused(403, NO_PASSWORDS)
  try {
    const password = given.text('password') ?? ''
    const user = await authenticator.identifyByPassword(username, password, guardOf(address))
    if (user && (await mustAcceptTerms(database, user.id))) return refused(403, MUST_ACCEPT_TERMS)
    if (user) return { user }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      return refused(403, String(error.body['message']).replace('403 Forbidden - ', ''))
    }
    throw error
  }
  await rateLimits.recordFailure(address)
  return refused(401, 'Wrong username or password.')
}

/**
 * Like `signIn`, for a form that may have been made for a session: one that has ended since then is not a wrong password,
 * and a session of the same user is confirmed by the password.
 */
export async function signInAgain(deps: OauthDeps, request: FastifyRequest, given: Given): Promise<SignedIn> {
  if (given.text(CSRF_PARAMETER) !== undefined && given.text('password') === undefined) {
    return { refusal: { status: 401, message: 'You are no longer signed in.', username: '' } }
  }
  const signedIn = await signIn(deps, request.ip, given)
  const session = signedIn.user && (await deps.readSession(request))
  if (session && session.user.id === signedIn.user.id) {
    await recordConfirmation(deps.database, session.id, Date.now())
  }
  return signedIn
}
