import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { isRecentlyConfirmed } from '../../http/authentication/confirmation.js'
import { CSRF_PARAMETER, refuseForgery, refuseOtherOrigins } from '../../http/authentication/csrf.js'
import { createSessionReader } from '../../http/authentication/read-session.js'
import { sessionCookieOf } from '../../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../../http/body-limits/body-time.js'
import { ApiError } from '../../http/errors.js'
import { parseParameterBodies } from '../../http/parameters/body-parsers.js'
import { formField } from '../form-field.js'
import { FormTokens } from '../form-tokens.js'
import { tooManyAttempts } from '../identify.js'
import { readReturnTo } from '../return-to.js'
import type { SessionDeps } from '../session-deps.js'
import { providerTab, signInAddress } from '../sign-in-page.js'
import { EXPIRED_FORM, refusingForgery } from '../sign-in-routes.js'
import { isAdministrator, useIdentity } from './arrived-identity.js'
import { type Attempt, ATTEMPT_LIFE, AttemptCookies, type Purpose } from './attempt.js'
import { beginAttempt, sendToProvider } from './begin-attempt.js'
import { describeRefusal } from './decide-account.js'
import { isOffered } from './offered-providers.js'
import { askForPassword } from './password-form.js'
import {
  ADMINISTRATORS_ONLY,
  refusalOfProblem,
  sendFailedSignIn,
  sendOwnResult,
  SESSION_ENDED,
  UNKNOWN_PROVIDER,
} from './provider-pages.js'
import { type IdentityProvider, type PasswordProvider, ProviderError, takesPassword } from './provider.js'
import { signInIdentity } from './sign-in-identity.js'
import { sendProviderList } from './try-pages.js'
import { useOnce } from './used-tokens.js'

const BODY_LIMIT = 6 * 1024

const EXPIRED_ATTEMPT =
  'The sign-in has expired, was finished before, or began in another browser. Try again; your browser must accept cookies.'

/**
 * Sign-in at identity providers. The browser is sent to the provider with a form of a page of this instance, and comes
 * back to the callback of that provider with the cookie of its attempt. A provider that checks passwords is asked for one
 * by a page of this instance instead.
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
    app.get('/users/auth', async (request, reply) => {
      const session = await readSession(request)
      if (!isAdministrator(request, session)) return sendFailedSignIn(reply, ADMINISTRATORS_ONLY)
      const { csrfToken } = session
      return sendProviderList(reply, { providers: providers.all, csrfToken, externalUrl })
    })
    app.post('/users/auth/:provider', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      withProvider(request, reply, (provider) => begin(request, reply, provider)),
    )
    app.get('/users/auth/:provider/callback', (request, reply) =>
      withProvider(request, reply, (provider) =>
        takesPassword(provider)
          ? sendFailedSignIn(reply, UNKNOWN_PROVIDER)
          : comeBack(request, reply, provider),
      ),
    )
  }

  /** Responds with a page instead of the errors of providers, forged forms and clients with too many failed attempts. */
  async function withProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (provider: IdentityProvider | PasswordProvider) => Promise<FastifyReply> | FastifyReply,
  ): Promise<FastifyReply> {
    const provider = providers.find((request.params as { provider: string }).provider)
    if (!provider) return sendFailedSignIn(reply, UNKNOWN_PROVIDER)
    try {
      return await refusingForgery(reply, async () => work(provider))
    } catch (error) {
      if (error instanceof ProviderError) {
        return sendFailedSignIn(reply, refusalOfProblem(logger, provider, error))
      }
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      return sendFailedSignIn(reply, tooManyAttempts(error))
    }
  }

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider | PasswordProvider,
  ): Promise<FastifyReply> {
    refuseOtherOrigins(request.headers, externalUrl)
    const purpose = purposeOf(formField(request.body, 'purpose'))
    const returnTo = readReturnTo(formField(request.body, 'return_to'))
    if (purpose === 'sign-in') {
      if (takesPassword(provider)) return reply.redirect(signInAddress(providerTab(provider), returnTo), 303)
      if (!formTokens.isValid(request)) {
        return sendFailedSignIn(reply, { status: 403, message: EXPIRED_FORM })
      }
      if (!(await isOffered(database, provider))) {
        const message = describeRefusal({ code: 'turned-off' }, provider.label)
        return sendFailedSignIn(reply, { status: 403, message })
      }
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
    if (takesPassword(provider)) {
      return askForPassword(deps, request, reply, { provider, purpose, session, returnTo })
    }
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
    const { purpose, sessionId, returnTo, until, staysSignedIn } = attempt
    if (purpose !== 'sign-in') {
      const session = await readSession(request)
      const begunAt = until - ATTEMPT_LIFE
      return useIdentity(deps, request, reply, {
        provider,
        identity,
        purpose,
        session,
        sessionId,
        begunAt,
        returnTo,
      })
    }
    const arrived = { provider, identity, returnTo: readReturnTo(returnTo), staysSignedIn }
    return signInIdentity(deps, request, reply, arrived, (reason) =>
      sendFailedSignIn(reply, { status: 403, message: describeRefusal(reason, provider.label) }),
    )
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
}

const NOT_CONFIRMED = {
  status: 403,
  title: 'Confirm that it is you',
  message: 'The last confirmation of your session is more than 30 minutes ago. Confirm it, and try again.',
}

function purposeOf(text: string): Purpose {
  return text === 'link' || text === 'confirm' || text === 'try' ? text : 'sign-in'
}
