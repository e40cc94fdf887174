import { randomBytes } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { MINUTE } from '../../lib/time-units.js'
import { tokenDigest } from '../../lib/tokens.js'
import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { hasFactor } from '../database/stores/second-factor-store.js'
import {
  findPendingSignIn,
  insertPendingSignIn,
  type PendingSignIn as PendingRow,
} from '../database/stores/web-session-store.js'
import type { SessionFactor } from '../database/tables/sessions.js'
import { pendingCookieOf } from '../http/authentication/session-cookie.js'
import type { ProviderSession } from './open-session.js'
import type { SessionDeps } from './session-deps.js'
import type { SignInMethod } from './sign-in-audit.js'

/** How a user signs in. */
export interface SignIn {
  user: User
  method: SignInMethod
  personalTokenId: number | null
  staysSignedIn: boolean
  isConfirmed: boolean
  /** The second factor that the user has given; undefined = none yet. */
  factor?: SessionFactor
  /** The session at the identity provider, for the method `provider`. */
  provider?: ProviderSession | undefined
}

/** The page on which users give the second factor. */
export const SECOND_STEP = '/users/second_factor'

/** How long a user may take for the second factor, in milliseconds. */
const PENDING_LIFE = 5 * MINUTE

/**
 * Personal access tokens give access without a second factor, everywhere: they are for programs. So does a link, which a
 * token or an administrator has made.
 */
const WITHOUT_FACTOR: readonly SignInMethod[] = ['token', 'link']

/** Whether the user has a second factor, and has not given it. */
export async function lacksFactor(database: Database, { user, factor }: SignIn): Promise<boolean> {
  return factor === undefined && (await hasFactor(database, user.id))
}

export async function needsSecondStep(database: Database, signIn: SignIn): Promise<boolean> {
  return !WITHOUT_FACTOR.includes(signIn.method) && (await lacksFactor(database, signIn))
}

/** Sends a browser whose user has given the first factor to the page for the second one. No session exists until then. */
export async function askForSecondFactor(
  { database, externalUrl }: Pick<SessionDeps, 'database' | 'externalUrl'>,
  reply: FastifyReply,
  { user, ...facts }: SignIn,
  returnTo: string | undefined,
): Promise<FastifyReply> {
  const cookie = randomBytes(32).toString('base64url')
  const now = Date.now()
  await insertPendingSignIn(database, {
    user_id: user.id,
    digest: tokenDigest(cookie),
    facts: JSON.stringify(facts),
    return_to: returnTo ?? null,
    expires_at: now + PENDING_LIFE,
    created_at: now,
  })
  return reply
    .header('set-cookie', pendingCookieOf(externalUrl).set(cookie, PENDING_LIFE / 1000))
    .header('cache-control', 'no-store')
    .redirect(SECOND_STEP, 303)
}

/** A sign-in that waits for the second factor. */
export interface PendingSignIn {
  id: number
  signIn: SignIn
  returnTo: string | undefined
}

/** The sign-in that waits in the browser of the request; undefined without one, and for an account that is blocked. */
export async function findPending(
  { database, externalUrl }: Pick<SessionDeps, 'database' | 'externalUrl'>,
  { headers }: FastifyRequest,
): Promise<PendingSignIn | undefined> {
  const cookie = pendingCookieOf(externalUrl).read(headers)
  const row = cookie === undefined ? undefined : await findPendingSignIn(database, tokenDigest(cookie))
  const user =
    row && (await database.selectFrom('user').selectAll().where('id', '=', row.user_id).executeTakeFirst())
  if (!row || user?.state !== 'active') return undefined
  return { id: row.id, signIn: { ...factsOf(row), user }, returnTo: row.return_to ?? undefined }
}

/** `askForSecondFactor` alone writes them. */
function factsOf({ facts }: PendingRow): Omit<SignIn, 'user'> {
  return facts as Omit<SignIn, 'user'>
}
