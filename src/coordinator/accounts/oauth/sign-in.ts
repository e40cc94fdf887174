import type { FastifyRequest } from 'fastify'

import type { User } from '../../access/caller.js'
import { effectiveSettings } from '../../database/stores/application-setting-store.js'
import { recordConfirmation } from '../../database/stores/web-session-store.js'
import { CSRF_PARAMETER } from '../../http/authentication/csrf.js'
import { ApiError } from '../../http/errors.js'
import { mustAcceptTerms } from '../terms/terms.js'
import { mustEnrolNow } from '../two-factor/demand.js'
import { verifyCode } from '../two-factor/verify-code.js'
import type { Given } from './given.js'
import type { OauthDeps } from './oauth-deps.js'
import type { Refusal } from './pages/sign-in-fields.js'

const NO_PASSWORDS = 'This instance accepts no passwords. Sign in with a token first.'
const MUST_ENROL = 'Sign in to this instance first, to set up two-factor authentication.'
const ASKS_FOR_CODE =
  'Your account has two-factor authentication. Enter the password again, with the code. With a passkey, sign in first.'
const TOO_MANY_CODES = 'Too many wrong codes. Try again in ten minutes, or with a recovery code.'
const MUST_ACCEPT_TERMS = 'Sign in to this instance first, to accept its terms of service.'

export type SignedIn = { user: User; refusal?: undefined } | { user?: undefined; refusal: Refusal }

/**
 * The user of a submitted sign-in form, or the error message. A user with a second factor gives its code in the same form.
 * Throws 429 after too many wrong passwords.
 */
async function signIn(deps: OauthDeps, address: string, given: Given): Promise<SignedIn> {
  const { database, authenticator, rateLimits, guardOf } = deps
  const username = given.text('username') ?? ''
  const refused = (status: number, message: string) => ({ refusal: { status, message, username } })
  const setting = 'password_authentication_enabled_for_web'
  if (!(await effectiveSettings(database, setting))[setting]) return refused(403, NO_PASSWORDS)
  try {
    const password = given.text('password') ?? ''
    const guard = guardOf(address)
    const found = await authenticator.identifyByFirstFactor(username, password, guard)
    if (found && (await mustAcceptTerms(database, found.user.id))) return refused(403, MUST_ACCEPT_TERMS)
    if (found && (await mustEnrolNow(database, found.user.id))) return refused(403, MUST_ENROL)
    if (found?.needsSecondFactor) {
      const refusal = await refusalOfCode(deps, { user: found.user, address }, given)
      if (refusal) return { refusal: { ...refusal, username, asksForCode: true } }
      guard.accepted(found.user)
    }
    if (found) return { user: found.user }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      return refused(403, String(error.body['message']).replace('403 Forbidden - ', ''))
    }
    throw error
  }
  await rateLimits.recordFailure(address)
  return refused(401, 'Wrong username or password.')
}

/** Why the second factor of a form is not accepted; undefined if it is. */
async function refusalOfCode(
  { database, secrets, rateLimits }: OauthDeps,
  { user, address }: { user: User; address: string },
  given: Given,
): Promise<Pick<Refusal, 'status' | 'message'> | undefined> {
  const code = given.text('code')
  if (code === undefined) return { status: 401, message: ASKS_FOR_CODE }
  const result = await verifyCode({ database, secrets }, user, code)
  if (result === 'totp' || result === 'recovery_code') return undefined
  if (result !== 'wrong') return { status: 429, message: TOO_MANY_CODES }
  await rateLimits.recordFailure(address)
  return {
    status: 401,
    message: 'Wrong code. Enter the password again, with the code that your app shows now.',
  }
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
