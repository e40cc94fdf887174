import type { FastifyReply, FastifyRequest } from 'fastify'

import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import { findUserOfIdentity } from '../../accounts/users/identities.js'
import { hasFactor } from '../../database/stores/second-factor-store.js'
import { recordConfirmation } from '../../database/stores/web-session-store.js'
import { addressBefore, type RequestSession } from '../../http/authentication/read-session.js'
import { readReturnTo } from '../return-to.js'
import type { SessionDeps } from '../session-deps.js'
import { readAccountFacts } from './account-facts.js'
import type { Purpose } from './attempt.js'
import { describeRefusal, hasTrustedFactor, refusalOf } from './decide-account.js'
import { ADMINISTRATORS_ONLY, sendFailedSignIn, sendOwnResult, SESSION_ENDED } from './provider-pages.js'
import type { ProvenIdentity, Provider } from './provider.js'
import { linkTo } from './sign-in-identity.js'
import { sendTriedProvider } from './try-pages.js'

/** The page of the account that shows sessions and identities. */
const ACCOUNT_PAGE = '/-/user_settings/active_sessions'
/** Milliseconds by which the clock of a provider may differ. */
const CLOCK_TOLERANCE = MINUTE

/** An identity that a user who is signed in has proven. */
export interface ArrivedIdentity {
  provider: Provider
  identity: ProvenIdentity
  purpose: Exclude<Purpose, 'sign-in'>
  /** The session of the browser now. */
  session: RequestSession | undefined
  /** The session that began. */
  sessionId: number | null
  /** When it began, in milliseconds since 1970. */
  begunAt: number
  returnTo: string | null
}

/** Links an identity, confirms the session with it, or shows it to an administrator, for the session that began that. */
export async function useIdentity(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  arrived: ArrivedIdentity,
): Promise<FastifyReply> {
  const { session, purpose } = arrived
  if (purpose === 'try') return showIdentity(deps, request, reply, arrived)
  if (!session || session.id !== arrived.sessionId) return sendFailedSignIn(reply, SESSION_ENDED)
  const before = addressBefore(ACCOUNT_PAGE, session)
  if (before !== undefined) return reply.redirect(before, 303)
  return purpose === 'link'
    ? link(deps, request, reply, arrived, session)
    : confirm(deps, reply, arrived, session)
}

/** Whether the session is that of an administrator who may open the page of the request. */
export function isAdministrator(
  { url }: FastifyRequest,
  session: RequestSession | undefined,
): session is RequestSession {
  return session !== undefined && session.user.is_admin && addressBefore(url, session) === undefined
}

async function showIdentity(
  { database }: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, identity, session }: ArrivedIdentity,
): Promise<FastifyReply> {
  if (!isAdministrator(request, session)) return sendFailedSignIn(reply, ADMINISTRATORS_ONLY)
  const facts = await readAccountFacts(database, provider.name, identity)
  return sendTriedProvider(reply, { provider, identity, facts })
}

async function link(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, identity }: ArrivedIdentity,
  { user }: RequestSession,
): Promise<FastifyReply> {
  const { label } = provider
  const reason = refusalOf(provider.rules, identity)
  if (reason) {
    const message = describeRefusal(reason, label)
    return sendOwnResult(reply, { status: 403, title: 'Nothing is linked', message })
  }
  if (await linkTo(deps, request, { provider, identity }, user)) return reply.redirect(ACCOUNT_PAGE, 303)
  const owner = await findUserOfIdentity(deps.database, provider.name, identity.subject)
  const message =
    owner && owner.id !== user.id
      ? `You at ${label} are linked to another account. Unlink it there first.`
      : `Your account is linked to ${label} already. Unlink it first to link another one.`
  return sendOwnResult(reply, { status: 409, title: 'Nothing is linked', message })
}

async function confirm(
  deps: SessionDeps,
  reply: FastifyReply,
  arrived: ArrivedIdentity,
  { id, user }: RequestSession,
): Promise<FastifyReply> {
  const message = await reasonNotToConfirm(deps, user, arrived)
  if (message !== undefined) {
    return sendOwnResult(reply, { status: 403, title: 'The session is not confirmed', message })
  }
  await recordConfirmation(deps.database, id, Date.now())
  return reply.redirect(readReturnTo(arrived.returnTo) ?? ACCOUNT_PAGE, 303)
}

async function reasonNotToConfirm(
  { database }: SessionDeps,
  user: User,
  { provider: { name, label, rules }, identity, begunAt }: ArrivedIdentity,
): Promise<string | undefined> {
  const owner = await findUserOfIdentity(database, name, identity.subject)
  if (owner?.id !== user.id) return `You at ${label} are not linked to this account.`
  if ((identity.authenticatedAt ?? 0) < begunAt - CLOCK_TOLERANCE)
    return `${label} has not asked you again. Confirm with a password or a token instead.`
  // Without that, the provider proves the first factor alone.
  return !hasTrustedFactor(rules, identity) && (await hasFactor(database, user.id))
    ? 'Confirm with your second factor: a passkey, or a password with a code.'
    : undefined
}
