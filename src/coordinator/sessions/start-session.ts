import type { FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../lib/tokens.js'
import type { User } from '../access/caller.js'
import { deleteSessionByDigest } from '../database/stores/web-session-store.js'
import { inTransaction, type Transaction } from '../database/transaction.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { type OpenedSession, openSession, type ProviderSession } from './open-session.js'
import type { SessionDeps } from './session-deps.js'
import { signInEventOf, type SignInMethod } from './sign-in-audit.js'

export interface SignIn {
  user: User
  method: SignInMethod
  personalTokenId: number | null
  staysSignedIn: boolean
  isConfirmed: boolean
  /** The session at the identity provider, for the method `provider`. */
  provider?: ProviderSession | undefined
}

/**
 * Opens a session for the browser of the request. It always gets a new cookie, so that a cookie that another person has
 * put there is worth nothing, and its earlier session ends.
 */
export async function startSession(
  tx: Transaction,
  { externalUrl, storeAuditEvent }: Pick<SessionDeps, 'externalUrl' | 'storeAuditEvent'>,
  request: FastifyRequest,
  { method, ...signIn }: SignIn,
): Promise<OpenedSession> {
  const { ip: address, headers } = request
  const earlier = sessionCookieOf(externalUrl).read(headers)
  if (earlier !== undefined) await deleteSessionByDigest(tx, tokenDigest(earlier))
  await storeAuditEvent(tx, signInEventOf(signIn.user, method, request))
  return openSession(tx, { ...signIn, address, userAgent: headers['user-agent'] })
}

/** Signs the user in, and sends the browser to its next page. */
export async function completeSignIn(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  signIn: SignIn,
  returnTo: string | undefined,
): Promise<FastifyReply> {
  const opened = await inTransaction(deps.database, (tx) => startSession(tx, deps, request, signIn))
  return sendSignedIn(reply, deps.externalUrl, opened, returnTo ?? '/')
}

/** Gives the cookie to the browser and sends it to its next page. */
export function sendSignedIn(
  reply: FastifyReply,
  externalUrl: string,
  { cookie, maxAge }: OpenedSession,
  returnTo: string,
): FastifyReply {
  return reply
    .header('set-cookie', sessionCookieOf(externalUrl).set(cookie, maxAge))
    .header('cache-control', 'no-store')
    .redirect(returnTo, 303)
}
