import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { deleteSessionsOfProvider } from '../../../database/stores/web-session-store.js'
import { BODY_SECONDS, limitBodyTime } from '../../../http/body-limits/body-time.js'
import { ApiError } from '../../../http/errors.js'
import { markup, sendPage } from '../../../http/html-page.js'
import { parseParameterBodies } from '../../../http/parameters/body-parsers.js'
import { formField } from '../../form-field.js'
import { tooManyAttempts } from '../../identify.js'
import type { SessionDeps } from '../../session-deps.js'
import { refusalOfProblem, sendFailedSignIn, UNKNOWN_PROVIDER } from '../provider-pages.js'
import { ProviderError } from '../provider.js'
import { useOnce } from '../used-tokens.js'
import { ProvenSignIns } from './proven-sign-ins.js'
import { CLOCK_TOLERANCE } from './read-assertion.js'
import { LOGOUT_REQUEST_LIFE, type LogoutRequest, readSignedQuery } from './read-logout-request.js'
import { SamlProvider } from './saml-provider.js'

/** Maximum size of a request body, in bytes: a response names all groups of a user. */
const BODY_LIMIT = 256 * 1024
/** Longest value that is given back to a provider, in characters (SAML Bindings 2.0, section 3.4.3: 80 bytes). */
const MAX_RELAY_STATE = 1000

/**
 * The addresses that SAML providers call by the browser of the user: with the response of a sign-in, and with the request
 * to end sessions. Both come from another site, so they come without cookies and are believed by their signature alone.
 */
export function samlRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, providers, guardOf, logger } = deps
  const proven = new ProvenSignIns(database, deps.secrets)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.post('/users/auth/:provider/callback', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      withProvider(request, reply, (provider) => receive(request, reply, provider)),
    )
    app.get('/users/auth/:provider/metadata', (request, reply) =>
      withProvider(request, reply, (provider) =>
        reply.type('application/samlmetadata+xml').send(provider.metadata()),
      ),
    )
    app.get('/users/auth/:provider/single_logout', (request, reply) =>
      withProvider(request, reply, (provider) =>
        endSessions(request, reply, provider, () =>
          provider.receiveLogoutQuery(() => readSignedQuery(request.url.split('?')[1] ?? '', 'SAMLRequest')),
        ),
      ),
    )
    app.post('/users/auth/:provider/single_logout', { bodyLimit: BODY_LIMIT }, (request, reply) =>
      withProvider(request, reply, (provider) =>
        endSessions(request, reply, provider, () =>
          provider.receiveLogout(formField(request.body, 'SAMLRequest', BODY_LIMIT)),
        ),
      ),
    )
  }

  /** Responds with a page instead of the errors of providers, and counts messages that are not valid. */
  async function withProvider(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (provider: SamlProvider) => Promise<FastifyReply> | FastifyReply,
  ): Promise<FastifyReply> {
    const { provider: name } = request.params as { provider: string }
    const provider = providers.find(name)
    if (!(provider instanceof SamlProvider)) return sendFailedSignIn(reply, UNKNOWN_PROVIDER)
    const guard = guardOf(request.ip)
    try {
      guard.check()
      return await work(provider)
    } catch (error) {
      if (error instanceof ApiError && error.status === 429)
        return sendFailedSignIn(reply, tooManyAttempts(error))
      if (!(error instanceof ProviderError)) throw error
      if (error.kind === 'invalid') await guard.failed()
      return sendFailedSignIn(reply, refusalOfProblem(logger, provider, error))
    }
  }

  /** Sends the browser to the callback by `GET`, with the cookie of its attempt. `RelayState` is not read. */
  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: SamlProvider,
  ): Promise<FastifyReply> {
    const response = await provider.receive(formField(request.body, 'SAMLResponse', BODY_LIMIT))
    const { inResponseTo, identity, id, expiresAt } = response
    if (!(await useOnce(database, `assertion ${provider.name} ${id}`, expiresAt))) {
      throw new ProviderError('invalid', 'This sign-in was finished before. Try again.', undefined)
    }
    const proof = await proven.keep(provider.name, { inResponseTo, identity })
    const query = new URLSearchParams({ state: inResponseTo, proof })
    return reply
      .header('cache-control', 'no-store')
      .redirect(`/users/auth/${provider.name}/callback?${query.toString()}`, 303)
  }

  async function endSessions(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: SamlProvider,
    read: () => Promise<LogoutRequest>,
  ): Promise<FastifyReply> {
    const logout = await read()
    const rememberedUntil = Date.now() + LOGOUT_REQUEST_LIFE + CLOCK_TOLERANCE
    if (!(await useOnce(database, `logout ${provider.name} ${logout.id}`, rememberedUntil))) {
      throw new ProviderError('invalid', 'This sign-out was done before.', undefined)
    }
    const sessions = await endSessionsOf(provider, logout)
    logger.info({ provider: provider.name, sessions }, `${provider.label} has ended sessions`)
    const relayState = formField(
      request.method === 'POST' ? request.body : request.query,
      'RelayState',
      MAX_RELAY_STATE,
    )
    const url = await provider.logoutResponseUrl(logout, relayState)
    if (url) return reply.header('cache-control', 'no-store').redirect(url.href, 303)
    return sendPage(reply, 200, {
      title: 'You are signed out',
      body: markup`<p><a href="/users/sign_in?signed_out=1">Sign in again</a></p>`,
    })
  }

  async function endSessionsOf(provider: SamlProvider, logout: LogoutRequest): Promise<number> {
    const subject = provider.subjectOf(logout)
    const { sessionIndexes } = logout
    if (sessionIndexes.length === 0) {
      if (subject === undefined) return 0
      return deleteSessionsOfProvider(database, provider.name, { subject, sid: undefined })
    }
    let sessions = 0
    for (const sid of sessionIndexes) {
      sessions += await deleteSessionsOfProvider(database, provider.name, { subject, sid })
    }
    return sessions
  }
}
