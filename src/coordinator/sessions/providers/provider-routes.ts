import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import { findUserOfIdentity } from '../../accounts/users/identities.js'
import { hasFactor } from '../../database/stores/second-factor-store.js'
import { recordConfirmation } from '../../database/stores/web-session-store.js'
import { isRecentlyConfirmed } from '../../http/authentication/confirmation.js'
import { CSRF_PARAMETER, refuseForgery, refuseOtherOrigins } from '../../http/authentication/csrf.js'
import {
  addressBefore,
  createSessionReader,
  type RequestSession,
} from '../../http/authentication/read-session.js'
import { sessionCookieOf } from '../../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { ApiError } from '../../http/errors.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import { formField } from '../form-field.js'
import { FormTokens } from '../form-tokens.js'
import { tooManyAttempts } from '../identify.js'
import { readReturnTo } from '../return-to.js'
import type { SessionDeps } from '../session-deps.js'
import { EXPIRED_FORM, refusingForgery } from '../sign-in-routes.js'
import { readAccountFacts } from './account-facts.js'
import { type Attempt, ATTEMPT_LIFE, AttemptCookies, type Purpose } from './attempt.js'
import { beginAttempt, sendToProvider } from './begin-attempt.js'
import { describeRefusal, hasTrustedFactor, refusalOf } from './decide-account.js'
import { isOffered } from './offered-providers.js'
import { sendFailedSignIn, sendOwnResult, UNKNOWN_PROVIDER } from './provider-pages.js'
import { type IdentityProvider, type ProvenIdentity, ProviderError } from './provider.js'
import { linkTo, signInIdentity } from './sign-in-identity.js'
import { sendProviderList, sendTriedProvider } from './try-pages.js'
import { useOnce } from './used-tokens.js'

const BODY_LIMIT = 6 * 1024

/** The page of the account that shows sessions and identities. */
const ACCOUNT_PAGE = '/-/user_settings/active_sessions'
/** Milliseconds by which the clock of a provider may differ. */
const CLOCK_TOLERANCE = MINUTE

const EXPIRED_ATTEMPT =
  'The sign-in has expired, was finished before, or began in another browser. Try again; your browser must accept cookies.'

/**
 * Sign-in at identity providers. The browser is sent to the provider with a form of a page of this instance, and comes
 * back to the callback of that provider with the cookie of its attempt.
 */
export function providerRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, externalUrl, providers, guardOf, logger } = deps
  const readSession = createSessionReader(deps)
  const formTokens = new FormTokens(deps.secrets, externalUrl)
  const attempts = new AttemptCookies(deps.secrets, externalUrl)
  const sessionCookie = sessionCookieOf(externalUrl)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get('/users/auth', (request, reply) =>
      asAdministrator(request, reply, ({ csrfToken }) =>
        sendProviderList(reply, { providers: providers.all, csrfToken, externalUrl }),
      ),
    )
    app.post('/users/auth/:provider', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      withProvider(request, reply, (provider) => begin(request, reply, provider)),
    )
    app.get('/users/auth/:provider/callback', (request, reply) =>
      withProvider(request, reply, (provider) => comeBack(request, reply, provider)),
    )
  }

  /** Responds with a page instead of the errors of providers, forged forms and clients with too many failed attempts. */
  async function withProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (provider: IdentityProvider) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const provider = providers.find((request.params as { provider: string }).provider)
    if (!provider) return sendFailedSignIn(reply, UNKNOWN_PROVIDER)
    try {
      return await refusingForgery(reply, () => work(provider))
    } catch (error) {
      if (error instanceof ProviderError) return sendProblem(reply, provider, error)
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      return sendFailedSignIn(reply, tooManyAttempts(error))
    }
  }

  function sendProblem(reply: FastifyReply, { name }: IdentityProvider, error: ProviderError): FastifyReply {
    if (error.kind !== 'refused')
      logger.warn({ err: error, provider: name }, 'A sign-in by a provider failed')
    return sendFailedSignIn(reply, { status: PROBLEM_STATUSES[error.kind], message: error.message })
  }

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider,
  ): Promise<FastifyReply> {
    refuseOtherOrigins(request.headers, externalUrl)
    const purpose = purposeOf(formField(request.body, 'purpose'))
    const returnTo = readReturnTo(formField(request.body, 'return_to'))
    if (purpose === 'sign-in') {
      if (!formTokens.isValid(request)) {
        return sendFailedSignIn(reply, { status: 403, message: EXPIRED_FORM })
      }
      if (!(await isOffered(database, provider))) return sendFailedSignIn(reply, turnedOff(provider))
      const staysSignedIn = formField(request.body, 'remember_me') === '1'
      const wanted = { purpose, sessionId: null, returnTo, staysSignedIn }
      const url = await beginAttempt(deps, reply, provider, wanted)
      return sendToProvider(reply, url, provider.label)
    }
    const session = await readSession(request)
    const cookie = sessionCookie.read(request.headers)
    if (!session || cookie === undefined) return sendFailedSignIn(reply, SESSION_ENDED)
    const token = { [CSRF_PARAMETER]: formField(request.body, CSRF_PARAMETER) }
    refuseForgery(request.headers, token, { cookie, externalUrl })
    if (purpose === 'link' && !isRecentlyConfirmed(session)) return sendOwnResult(reply, NOT_CONFIRMED)
    const wanted = { purpose, sessionId: session.id, returnTo, staysSignedIn: false }
    const url = await beginAttempt(deps, reply, provider, wanted)
    return sendToProvider(reply, url, provider.label)
  }

  async function comeBack(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider,
  ): Promise<FastifyReply> {
    const guard = guardOf(request.ip)
    guard.check()
    const attempt = await finishedAttempt(request, provider)
    attempts.clear(reply)
    if (!attempt) {
      await guard.failed()
      return sendFailedSignIn(reply, { status: 400, message: EXPIRED_ATTEMPT })
    }
    const identity = await provider.finish(new URL(request.url, externalUrl), attempt)
    const arrived = { provider, identity, attempt }
    switch (attempt.purpose) {
      case 'sign-in':
        return signIn(request, reply, arrived)
      case 'link':
        return withSession(request, reply, arrived, (session) => link(request, reply, arrived, session))
      case 'confirm':
        return withSession(request, reply, arrived, (session) => confirm(reply, arrived, session))
      case 'try':
        return asAdministrator(request, reply, async () => {
          const facts = await readAccountFacts(database, provider.name, identity)
          return sendTriedProvider(reply, { provider, identity, facts })
        })
    }
  }

  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { provider, identity, attempt: { returnTo, staysSignedIn } }: Arrived,
  ): Promise<FastifyReply> {
    if (!(await isOffered(database, provider))) return sendFailedSignIn(reply, turnedOff(provider))
    const arrived = { provider, identity, staysSignedIn, returnTo: readReturnTo(returnTo) }
    return signInIdentity(deps, request, reply, arrived, (reason) =>
      sendFailedSignIn(reply, { status: 403, message: describeRefusal(reason, provider.label) }),
    )
  }

  async function asAdministrator(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (session: RequestSession) => Promise<FastifyReply> | FastifyReply,
  ): Promise<FastifyReply> {
    const session = await readSession(request)
    if (session?.user.is_admin && addressBefore(request.url, session) === undefined) return work(session)
    return sendFailedSignIn(reply, { status: 403, message: 'This page is for administrators.' })
  }

  /** The attempt of the browser that this request finishes; undefined for any other request, and for a second one. */
  async function finishedAttempt(
    request: FastifyRequest,
    { name }: IdentityProvider,
  ): Promise<Attempt | undefined> {
    const attempt = attempts.read(request)
    if (attempt?.provider !== name || formField(request.query, 'state') !== attempt.state) return undefined
    return (await useOnce(database, `state ${attempt.state}`, attempt.until)) ? attempt : undefined
  }

  /** Calls `work` if the session that began the attempt is that of the browser. */
  async function withSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { attempt }: Arrived,
    work: (session: RequestSession) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const session = await readSession(request)
    if (session?.id !== attempt.sessionId) return sendFailedSignIn(reply, SESSION_ENDED)
    const before = addressBefore(ACCOUNT_PAGE, session)
    return before === undefined ? work(session) : reply.redirect(before, 303)
  }

  async function link(
    request: FastifyRequest,
    reply: FastifyReply,
    { provider, identity }: Arrived,
    { user }: RequestSession,
  ): Promise<FastifyReply> {
    const { label } = provider
    const reason = refusalOf(provider.rules, identity)
    if (reason) {
      const message = describeRefusal(reason, label)
      return sendOwnResult(reply, { status: 403, title: 'Nothing is linked', message })
    }
    if (await linkTo(deps, request, { provider, identity }, user)) return reply.redirect(ACCOUNT_PAGE, 303)
    const owner = await findUserOfIdentity(database, provider.name, identity.subject)
    const message =
      owner && owner.id !== user.id
        ? `You at ${label} are linked to another account. Unlink it there first.`
        : `Your account is linked to ${label} already. Unlink it first to link another one.`
    return sendOwnResult(reply, { status: 409, title: 'Nothing is linked', message })
  }

  async function confirm(
    reply: FastifyReply,
    { provider, identity, attempt }: Arrived,
    { id, user }: RequestSession,
  ): Promise<FastifyReply> {
    const message = await reasonNotToConfirm(user, { provider, identity, attempt })
    if (message !== undefined) {
      return sendOwnResult(reply, { status: 403, title: 'The session is not confirmed', message })
    }
    await recordConfirmation(database, id, Date.now())
    return reply.redirect(readReturnTo(attempt.returnTo) ?? ACCOUNT_PAGE, 303)
  }

  async function reasonNotToConfirm(
    user: User,
    { provider: { name, label, rules }, identity, attempt }: Arrived,
  ): Promise<string | undefined> {
    const owner = await findUserOfIdentity(database, name, identity.subject)
    if (owner?.id !== user.id) return `You at ${label} are not linked to this account.`
    const begunAt = attempt.until - ATTEMPT_LIFE
    if ((identity.authenticatedAt ?? 0) < begunAt - CLOCK_TOLERANCE)
      return `${label} has not asked you again. Confirm with a password or a token instead.`
    // Without that, the provider proves the first factor alone.
    return !hasTrustedFactor(rules, identity) && (await hasFactor(database, user.id))
      ? 'Confirm with your second factor: a passkey, or a password with a code.'
      : undefined
  }
}

interface Arrived {
  provider: IdentityProvider
  identity: ProvenIdentity
  attempt: Attempt
}

/** Statuses of responses by the kind of the problem. */
export const PROBLEM_STATUSES = { unreachable: 503, refused: 403, invalid: 400 } as const

const SESSION_ENDED = { status: 401, message: 'Your session has ended. Sign in again.' }
const NOT_CONFIRMED = {
  status: 403,
  title: 'Confirm that it is you',
  message: 'The last confirmation of your session is more than 30 minutes ago. Confirm it, and try again.',
}

function turnedOff({ label }: IdentityProvider): { status: number; message: string } {
  return { status: 403, message: `Sign-ins with ${label} are turned off on this instance.` }
}

function purposeOf(text: string): Purpose {
  return text === 'link' || text === 'confirm' || text === 'try' ? text : 'sign-in'
}
