import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { User } from '../access/caller.js'
import { completeTotp, startedTotp, startTotp } from '../accounts/two-factor/factors.js'
import { isRecentlyConfirmed } from '../http/authentication/confirmation.js'
import { CSRF_PARAMETER, refuseForgery, refuseOtherOrigins } from '../http/authentication/csrf.js'
import {
  createSessionReader,
  type RequestSession,
  termsAddress,
} from '../http/authentication/read-session.js'
import { sessionCookieOf } from '../http/authentication/session-cookie.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { ApiError } from '../http/errors.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { sendEnrolledPage, sendEnrolmentPage } from './enrolment-page.js'
import { formField } from './form-field.js'
import { readReturnTo } from './return-to.js'
import type { SessionDeps } from './session-deps.js'
import { eventOfUser } from './sign-in-audit.js'
import { refusingForgery } from './sign-in-routes.js'

const BODY_LIMIT = 6 * 1024
const PATH = '/-/users/two_factor'

const WRONG_CODE = { status: 401, message: 'Wrong code. Enter the one that the app shows now.' }

/**
 * The page on which users who need a second factor set up an app; it works without scripts. After the grace period, a
 * session without a factor opens this page and the sign-out alone.
 */
export function enrolmentRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, externalUrl } = deps
  const readSession = createSessionReader(deps)
  const sessionCookie = sessionCookieOf(externalUrl)

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get(PATH, async (request, reply) => {
      const next = readReturnTo(formField(request.query, 'redirect')) ?? '/'
      const session = await readSession(request)
      if (!session) return reply.redirect(signInAddress(next), 303)
      if (session.mustAcceptTerms) return reply.redirect(termsAddress(request.url), 303)
      if (session.enrolBy === null) return reply.redirect(next, 303)
      // A secret of an earlier page may be known to another person.
      const totp = isRecentlyConfirmed(session) ? await startTotp(deps, session.user) : undefined
      return sendEnrolmentPage(reply, { session, next, totp })
    })
    app.post(PATH, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, async () => {
        refuseOtherOrigins(request.headers, externalUrl)
        const next = readReturnTo(formField(request.body, 'redirect')) ?? '/'
        const session = await readSession(request)
        const cookie = sessionCookie.read(request.headers)
        if (!session || cookie === undefined) return reply.redirect(signInAddress(next), 303)
        const token = { [CSRF_PARAMETER]: formField(request.body, CSRF_PARAMETER) }
        refuseForgery(request.headers, token, { cookie, externalUrl })
        return enrol(request, reply, { session, next })
      }),
    )
  }

  async function enrol(
    request: FastifyRequest,
    reply: FastifyReply,
    { session, next }: { session: RequestSession; next: string },
  ): Promise<FastifyReply> {
    const { user, id } = session
    const started = isRecentlyConfirmed(session) ? await startedTotp(deps, user) : undefined
    if (!started || session.enrolBy === null) {
      return reply.redirect(`${PATH}?redirect=${encodeURIComponent(next)}`, 303)
    }
    const codes = await firstCodes(user, id, formField(request.body, 'code'))
    if (!codes) return sendEnrolmentPage(reply, { session, next, totp: started, refusal: WRONG_CODE })
    const event = { custom_message: 'Turned two-factor authentication on' }
    await deps.storeAuditEvent(database, eventOfUser(user, event, request))
    return sendEnrolledPage(reply, codes, next)
  }

  /** Undefined for a wrong code. */
  async function firstCodes(user: User, sessionId: number, code: string): Promise<string[] | undefined> {
    try {
      return (await completeTotp(deps, { user, session: { id: sessionId } }, code)) ?? []
    } catch (error) {
      if (error instanceof ApiError && error.code === 'wrong_code') return undefined
      throw error
    }
  }
}

function signInAddress(next: string): string {
  return `/users/sign_in?${new URLSearchParams({ return_to: next }).toString()}`
}
