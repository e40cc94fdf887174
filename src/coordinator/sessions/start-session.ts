import type { FastifyReply, FastifyRequest } from 'fastify'

import { addressOf } from '../../addresses/address-of.js'
import { tokenDigest } from '../../lib/tokens.js'
import { isSetUpOpen } from '../database/stores/set-up-store.js'
import { deleteSessionByDigest } from '../database/stores/web-session-store.js'
import { inTransaction, type Transaction } from '../database/transaction.js'
import { enrolmentAddress } from '../http/authentication/read-session.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { type OpenedSession, openSession } from './open-session.js'
import { askForSecondFactor, lacksFactor, needsSecondStep, type SignIn } from './second-step.js'
import type { SessionDeps } from './session-deps.js'
import { signInEventOf } from './sign-in-audit.js'

/** A session of a browser. */
interface StartedSession extends OpenedSession {
  /** The first page, unless the sign-in began at another one. */
  startPage: string
}

/**
 * Opens a session for the browser of the request. It always gets a new cookie, so that a cookie that another person has
 * put there is worth nothing, and its earlier session ends. The session of a user with a second factor is confirmed by
 * nothing less than that factor.
 */
export async function startSession(
  tx: Transaction,
  { externalUrl, storeAuditEvent }: Pick<SessionDeps, 'externalUrl' | 'storeAuditEvent'>,
  request: FastifyRequest,
  signIn: SignIn,
): Promise<StartedSession> {
  const { ip: address, headers } = request
  const { user, method, factor, isConfirmed, provider } = signIn
  const earlier = sessionCookieOf(externalUrl).read(headers)
  if (earlier !== undefined) await deleteSessionByDigest(tx, tokenDigest(earlier))
  await storeAuditEvent(tx, signInEventOf(user, { method, factor, provider: provider?.name }, request))
  const opened = await openSession(tx, {
    ...signIn,
    isConfirmed: isConfirmed && !(await lacksFactor(tx, signIn)),
    address,
    userAgent: headers['user-agent'],
  })
  // The first administrator of an installation sets it up.
  const setsUp = user.is_admin && (await isSetUpOpen(tx))
  return { ...opened, startPage: setsUp ? addressOf('admin/set-up', {}) : '/' }
}

/**
 * Signs the user in, and sends the browser to its next page. A user with a second factor gives it first, unless the facts
 * name the one that was given.
 */
export async function completeSignIn(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  signIn: SignIn,
  returnTo: string | undefined,
): Promise<FastifyReply> {
  if (await needsSecondStep(deps.database, signIn)) return askForSecondFactor(deps, reply, signIn, returnTo)
  const opened = await inTransaction(deps.database, (tx) => startSession(tx, deps, request, signIn))
  return sendSignedIn(reply, deps.externalUrl, opened, returnTo)
}

/**
 * Gives the cookie to the browser and sends it to its next page; a user who needs a second factor and has none sees the
 * page for that first.
 */
export function sendSignedIn(
  reply: FastifyReply,
  externalUrl: string,
  { cookie, maxAge, enrolBy, startPage }: StartedSession,
  returnTo = startPage,
): FastifyReply {
  return reply
    .header('set-cookie', sessionCookieOf(externalUrl).set(cookie, maxAge))
    .header('cache-control', 'no-store')
    .redirect(enrolBy === null ? returnTo : enrolmentAddress(returnTo), 303)
}
