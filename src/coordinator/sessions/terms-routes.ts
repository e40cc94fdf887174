import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { tokenDigest } from '../../lib/tokens.js'
import { acceptTerms, enforcedTerms, type Terms } from '../accounts/terms/terms.js'
import { deleteSessionByDigest } from '../database/stores/web-session-store.js'
import { inTransaction } from '../database/transaction.js'
import { CSRF_PARAMETER, refuseForgery, refuseOtherOrigins } from '../http/authentication/csrf.js'
import {
  createSessionReader,
  type RequestSession,
  termsAddress,
} from '../http/authentication/read-session.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { formField } from './form-field.js'
import { readReturnTo } from './return-to.js'
import type { SessionDeps } from './session-deps.js'
import { ownEventOf } from './sign-in-audit.js'
import { refusingForgery } from './sign-in-routes.js'
import { sendTermsPage } from './terms-page.js'

const BODY_LIMIT = 6 * 1024
const PATH = '/-/users/terms'

/**
 * The page on which users who are signed in accept the terms of service, or are signed out. It works without scripts.
 * Others may read the terms there.
 */
export function termsRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, externalUrl } = deps
  const readSession = createSessionReader(deps)
  const sessionCookie = sessionCookieOf(externalUrl)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get(PATH, async (request, reply) => {
      const next = readReturnTo(formField(request.query, 'redirect')) ?? '/'
      const terms = await enforcedTerms(database)
      if (!terms) return reply.redirect(next, 303)
      return sendTermsPage(reply, { terms, next, session: await readSession(request) })
    })
    app.post(`${PATH}/accept`, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      decide(request, reply, (given) => accept(request, reply, given)),
    )
    app.post(`${PATH}/decline`, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      decide(request, reply, (given) => decline(request, reply, given)),
    )
  }

  /** Calls `work` for a form of a page of this instance. If its session has ended, redirects to the next page. */
  function decide(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (given: Given) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    return refusingForgery(reply, async () => {
      refuseOtherOrigins(request.headers, externalUrl)
      const next = readReturnTo(formField(request.body, 'redirect')) ?? '/'
      const session = await readSession(request)
      const cookie = sessionCookie.read(request.headers)
      const terms = await enforcedTerms(database)
      if (!session || cookie === undefined || !terms) return reply.redirect(next, 303)
      const token = { [CSRF_PARAMETER]: formField(request.body, CSRF_PARAMETER) }
      refuseForgery(request.headers, token, { cookie, externalUrl })
      return work({ next, session, cookie, terms })
    })
  }

  async function accept(
    request: FastifyRequest,
    reply: FastifyReply,
    { next, session: { user }, terms }: Given,
  ): Promise<FastifyReply> {
    // The terms have changed while the user read them.
    if (formField(request.body, 'version') !== String(terms.version)) {
      return reply.redirect(termsAddress(next), 303)
    }
    await inTransaction(database, async (tx) => {
      await acceptTerms(tx, user.id, terms.version)
      await deps.storeAuditEvent(tx, ownEventOf(user, 'Accepted the terms of service', request))
    })
    return reply.redirect(next, 303)
  }

  async function decline(
    request: FastifyRequest,
    reply: FastifyReply,
    { next, session: { user }, cookie }: Given,
  ): Promise<FastifyReply> {
    await inTransaction(database, async (tx) => {
      await deps.storeAuditEvent(tx, ownEventOf(user, 'Declined the terms of service', request))
      await deleteSessionByDigest(tx, tokenDigest(cookie))
    })
    const query = new URLSearchParams({ signed_out: '1', return_to: next })
    return reply
      .header('set-cookie', sessionCookie.clear())
      .redirect(`/users/sign_in?${query.toString()}`, 303)
  }
}

interface Given {
  /** Path of the page after this one. */
  next: string
  session: RequestSession
  cookie: string
  terms: Terms
}
