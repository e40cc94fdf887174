import type { FastifyRequest } from 'fastify'

import type { User } from '../access/caller.js'
import { effectiveSettings } from '../database/stores/application-setting-store.js'
import { hasOneOf } from '../http/authentication/scopes.js'
import { ApiError } from '../http/errors.js'
import { formField } from './form-field.js'
import type { SessionDeps } from './session-deps.js'

/** Why a visitor is not signed in, for the page. */
export interface SignInRefusal {
  status: number
  message: string
  /** For `Retry-After`, in seconds. */
  retryAfter?: number
}

export type Identified =
  | { user: User; personalTokenId: number | null; refusal?: undefined }
  | { user?: undefined; refusal: SignInRefusal }

export const WRONG_PASSWORD = 'Wrong username or password.'
const WRONG_TOKEN = 'Wrong token, or it has expired or was revoked.'

type IdentifyDeps = Pick<SessionDeps, 'database' | 'authenticator' | 'guardOf'>

/** Whether users can sign in with a password. */
export async function takesPasswords({ database }: Pick<SessionDeps, 'database'>): Promise<boolean> {
  const name = 'password_authentication_enabled_for_web'
  return (await effectiveSettings(database, name))[name]
}

/** The user of a form with `username` and `password`, or why the visitor is none. The second factor comes next. */
export async function identifyByPassword(deps: IdentifyDeps, request: FastifyRequest): Promise<Identified> {
  if (!(await takesPasswords(deps))) {
    return { refusal: { status: 403, message: 'This instance accepts no passwords. Sign in with a token.' } }
  }
  const guard = deps.guardOf(request.ip)
  return refusing(async () => {
    const username = formField(request.body, 'username')
    const password = formField(request.body, 'password')
    const found = await deps.authenticator.identifyByFirstFactor(username, password, guard)
    if (found) return { user: found.user, personalTokenId: null }
    await guard.failed()
    return { refusal: { status: 401, message: WRONG_PASSWORD } }
  })
}

/** The user of a form with a personal access token in `token`, or why the visitor is none. */
export async function identifyByToken(deps: IdentifyDeps, request: FastifyRequest): Promise<Identified> {
  const guard = deps.guardOf(request.ip)
  return refusing(async () => {
    guard.check()
    const caller = await callerOf(deps, formField(request.body, 'token').trim())
    if (caller?.kind !== 'user' || caller.tokenId === undefined) {
      await guard.failed()
      return { refusal: { status: 401, message: WRONG_TOKEN } }
    }
    const { user, scopes, tokenId } = caller
    if (user.kind !== 'human') {
      return { refusal: { status: 403, message: 'Tokens of projects and groups do not sign in.' } }
    }
    if (!hasOneOf(scopes, ['api'])) {
      return { refusal: { status: 403, message: 'The token needs the scope api to sign in.' } }
    }
    guard.accepted(user)
    return { user, personalTokenId: tokenId }
  })
}

async function callerOf({ authenticator }: IdentifyDeps, token: string) {
  try {
    return token === '' ? undefined : await authenticator.identify({ kind: 'personal', token })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined
    throw error
  }
}

/** Turns the errors of accounts that may not sign in, and of too many attempts, into refusals. */
async function refusing(identify: () => Promise<Identified>): Promise<Identified> {
  try {
    return await identify()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 403) {
      const message = String(error.body['message']).replace('403 Forbidden - ', '')
      return { refusal: { status: 403, message } }
    }
    if (error.status === 429) return { refusal: tooManyAttempts(error) }
    throw error
  }
}

/** The refusal of an address with too many failed attempts. */
export function tooManyAttempts({ headers }: ApiError): SignInRefusal {
  const retryAfter = Number(headers['retry-after'] ?? 60)
  const time = retryAfter > 90 ? `${Math.ceil(retryAfter / 60)} minutes` : `${retryAfter} seconds`
  return { status: 429, message: `Too many failed attempts. Try again in ${time}.`, retryAfter }
}
