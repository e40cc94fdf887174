import type { CallerSession, User } from '../access/caller.js'
import { readSignature } from '../accounts/two-factor/passkeys.js'
import { verifyCode } from '../accounts/two-factor/verify-code.js'
import { hasFactor } from '../database/stores/second-factor-store.js'
import { recordConfirmation } from '../database/stores/web-session-store.js'
import { CONFIRMATION_LIFE } from '../http/authentication/confirmation.js'
import type { LoginGuard } from '../http/authentication/login-guard.js'
import { hasOneOf } from '../http/authentication/scopes.js'
import { ApiError, apiError } from '../http/errors.js'
import { isoTime } from '../http/presenters/present-time.js'
import type { Confirmed } from './schema.js'
import type { SessionDeps } from './session-deps.js'

type ConfirmDeps = Pick<SessionDeps, 'database' | 'authenticator' | 'guardOf' | 'secrets' | 'externalUrl'>

/** What the user gives: one of the first three, and a code with a password or token. */
interface Given {
  password?: string
  token?: string
  passkey?: string
  code?: string
}

/**
 * Renews the confirmation of a session. A user with a second factor gives its code too, or a passkey alone, which this
 * browser and this session know already. Throws 403 for a wrong password, token, code or passkey and for that of another
 * user, and 429 after too many.
 */
export async function confirmSession(
  deps: ConfirmDeps,
  { user, session, address }: { user: User; session: CallerSession; address: string },
  given: Given,
): Promise<Confirmed> {
  const guard = deps.guardOf(address)
  guard.check()
  const refusal = await refusalOf(deps, { user, session, guard }, given)
  if (refusal) {
    if (refusal.code !== 'code_required') await guard.failed()
    throw refusal
  }
  const now = Date.now()
  await recordConfirmation(deps.database, session.id, now)
  return { confirmed_at: isoTime(now), valid_until: isoTime(now + CONFIRMATION_LIFE) }
}

/** Why the user is not proven; undefined if all is right. */
async function refusalOf(
  deps: ConfirmDeps,
  { user, session, guard }: { user: User; session: CallerSession; guard: LoginGuard },
  { password, token, passkey, code }: Given,
): Promise<ApiError | undefined> {
  if (passkey !== undefined) return refusalOfPasskey(deps, { user, session }, passkey)
  const proven =
    password === undefined
      ? await userOfToken(deps, token ?? '')
      : (await deps.authenticator.identifyByFirstFactor(user.username, password, guard))?.user
  if (proven?.id !== user.id) return apiError(password === undefined ? 'wrong_token' : 'wrong_password')
  return (await hasFactor(deps.database, user.id)) ? refusalOfCode(deps, user, code) : undefined
}

async function refusalOfPasskey(
  deps: ConfirmDeps,
  { user, session }: { user: User; session: CallerSession },
  text: string,
): Promise<ApiError | undefined> {
  try {
    const { user_id } = await readSignature(deps, text, { purpose: `confirm session ${session.id}` })
    return user_id === user.id ? undefined : apiError('passkey_refused')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'passkey_refused') return error
    throw error
  }
}

async function refusalOfCode(
  deps: ConfirmDeps,
  user: User,
  code: string | undefined,
): Promise<ApiError | undefined> {
  if (code === undefined) return apiError('code_required')
  const result = await verifyCode(deps, user, code)
  if (result === 'totp' || result === 'recovery_code') return undefined
  if (result === 'wrong') return apiError('wrong_code')
  const seconds = Math.max(1, Math.ceil((result.retryAt - Date.now()) / 1000))
  return apiError('too_many_codes', {}, { headers: { 'retry-after': String(seconds) } })
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
