import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { useSignInLink } from '../database/stores/web-session-store.js'
import { inTransaction } from '../database/transaction.js'
import { refuseOtherOrigins } from '../http/authentication/csrf.js'
import { BODY_SECONDS, limitBodyTime } from '../http/body-limits/body-time.js'
import { ApiError } from '../http/errors.js'
import { parseParameterBodies } from '../http/parameters/body-parsers.js'
import { formField } from './form-field.js'
import { FormTokens } from './form-tokens.js'
import { tooManyAttempts } from './identify.js'
import { readReturnTo } from './return-to.js'
import type { SessionDeps } from './session-deps.js'
import { findUsableLink } from './sign-in-links.js'
import { sendLinkPage, sendUnknownLink } from './sign-in-page.js'
import { refusingForgery } from './sign-in-routes.js'
import { sendSignedIn, startSession } from './start-session.js'

const BODY_LIMIT = 6 * 1024

/** The page behind a sign-in link. Opening it changes nothing; its button signs in, once. */
export function signInLinkRoutes(deps: SessionDeps): (app: FastifyInstance) => void {
  const { database, externalUrl, guardOf } = deps
  const formTokens = new FormTokens(deps.secrets, externalUrl)
  const path = '/users/sign_in/:link'

  return (app) => {
    parseParameterBodies(app, deps.spool)
    limitBodyTime(app, BODY_SECONDS)
    app.get(path, (request, reply) =>
      withLink(request, reply, async ({ user }) => show(request, reply, user)),
    )
    app.post(path, { bodyLimit: BODY_LIMIT }, (request, reply) =>
      refusingForgery(reply, () => {
        refuseOtherOrigins(request.headers, externalUrl)
        return withLink(request, reply, (found) => signIn(request, reply, found))
      }),
    )
  }

  /** Limits how many links a client may try. */
  async function withLink(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (found: Found) => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const guard = guardOf(request.ip)
    try {
      guard.check()
      const found = await findUsableLink(database, (request.params as { link: string }).link)
      if (found) return await work(found)
      await guard.failed()
      return await sendUnknownLink(reply)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      return sendUnknownLink(reply, tooManyAttempts(error))
    }
  }

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, username }: Found['user'],
    refusal?: { status: number; message: string },
  ): FastifyReply {
    const formToken = formTokens.create(request, reply)
    return sendLinkPage(reply, { name, username, formToken, ...(refusal && { refusal }) })
  }

  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    { link, user }: Found,
  ): Promise<FastifyReply> {
    if (!formTokens.isValid(request)) {
      const message = 'The form has expired, or your browser does not accept cookies. Try again.'
      return show(request, reply, user, { status: 403, message })
    }
    const opened = await inTransaction(database, async (tx) =>
      (await useSignInLink(tx, link.id))
        ? startSession(tx, deps, request, {
            user,
            method: 'link',
            personalTokenId: link.personal_token_id,
            staysSignedIn: false,
            // Users create links with a token, so a link proves no more than the token does.
            isConfirmed: link.is_by_administrator,
          })
        : undefined,
    )
    if (!opened) return sendUnknownLink(reply)
    guardOf(request.ip).accepted(user)
    const returnTo = readReturnTo(formField(request.query, 'return_to'))
    return sendSignedIn(reply, externalUrl, opened, returnTo)
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof findUsableLink>>>
